/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Building JSON out of values of any origin. */
#ifndef ZWB_JSONOUT_H
#define ZWB_JSONOUT_H

#include <jansson.h>
#include <stdint.h>

/*
 * Objects are built with json_pack(), which returns NULL without memory and takes over what is
 * handed to it with "o" in either case; "o" of NULL makes the whole object NULL. The functions here
 * return new references and go on with NULL in the same way, so that one check of the outermost
 * object covers all of them.
 */

/** zwb_json_text() - text of any origin as valid UTF-8; null for NULL. */
json_t *zwb_json_text(const char *s);

/** zwb_json_number() - a number; null for NAN and infinities, which stand for "not known". */
json_t *zwb_json_number(double value);

/** zwb_json_whole() - a whole number; as text where JSON has no room for it, from 2^63 on. */
json_t *zwb_json_whole(uint64_t value);

/** zwb_json_append() - add to an array; NULL (and both are freed) if either is NULL. */
json_t *zwb_json_append(json_t *array, json_t *item);

/** zwb_json_set() - add to an object, under a key of any origin; likewise. */
json_t *zwb_json_set(json_t *object, const char *key, json_t *value);

#endif
