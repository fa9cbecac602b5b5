/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the trace.dat reader with recordings that are not as they should be. */
#ifndef TRACEDAT_DAMAGE_H
#define TRACEDAT_DAMAGE_H

/** tracedat_damage_run() - Return: how many tests failed. */
int tracedat_damage_run(void);

#endif
