/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The flight recorder of a capture: when to save. */
#include "capture_priv.h"
#include "clock.h"
#include "common.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int arm(const char *text, int *fd, struct zwb_err *err)
{
	struct zwb_trigger trigger;
	int ret = zwb_trigger_parse(text, &trigger, err);

	if (!ret) {
		ret = zwb_trigger_arm(&trigger, "", fd, err);
		zwb_trigger_release(&trigger);
	}
	if (ret)
		zwb_err_prefix(err, "--trigger");
	return ret;
}

int capture_flight_arm(struct capture *c, struct zwb_err *err)
{
	size_t nr = c->args->triggers.nr;
	int ret = ZWB_OK;

	if (!nr)
		return ZWB_OK;
	c->gate.cool_down_ns = c->args->cool_down_ns;
	c->triggers = calloc(nr, sizeof(*c->triggers));
	if (!c->triggers)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for triggers");
	for (size_t i = 0; i < nr; i++)
		c->triggers[i] = (struct pollfd){ .fd = -1, .events = POLLPRI };
	for (size_t i = 0; i < nr && !ret; i++)
		ret = arm(c->args->triggers.items[i], &c->triggers[i].fd, err);
	return ret;
}

int capture_flight_open(struct capture *c, struct zwb_err *err)
{
	const struct zwb_flight_config config = {
		.session = c->session,
		.host = c->host,
		.path = c->args->output,
		.buffer_bytes = c->result->buffer_bytes,
		.anon = capture_anon(c),
		.facts = &c->facts,
	};

	return zwb_flight_open(&c->flight, &config, err);
}

void capture_flight_save(struct capture *c, const char *why)
{
	struct zwb_flight_saved saved;
	struct zwb_err err = { 0 };

	if (c->is_over)
		return;
	if (zwb_flight_save(c->flight, why, &saved, &err)) {
		zwb_print_error(c->command, &err);
		c->result->nr_failed_saves++;
	} else {
		c->result->nr_saves++;
		if (!c->args->quiet) {
			fprintf(stderr, "%s: ", c->command);
			zwb_put_text(stderr, saved.path);
			fprintf(stderr, " saved (");
			zwb_put_text(stderr, why);
			fprintf(stderr, "); %.1f MiB of events, recording was off for %.0f ms\n",
				(double)(saved.nr_pages * c->result->page_bytes) / (1 << 20),
				(double)saved.off_ns / 1e6);
		}
		free(saved.path);
	}
	zwb_trigger_saved(&c->gate, zwb_clock_ns(CLOCK_MONOTONIC));
	if (c->args->max_saves && c->result->nr_saves >= c->args->max_saves)
		c->is_over = 1;
}

void capture_flight_check(struct capture *c)
{
	for (size_t i = 0; i < c->args->triggers.nr; i++) {
		struct pollfd *trigger = &c->triggers[i];
		const char *text = c->args->triggers.items[i];

		if (trigger->revents & (POLLERR | POLLNVAL)) {
			zwb_print_warning(c->command, "--trigger \"%s\": its cgroup is gone", text);
			close(trigger->fd);
			trigger->fd = -1;
		} else if ((trigger->revents & POLLPRI) &&
			   zwb_trigger_pass(&c->gate, zwb_clock_ns(CLOCK_MONOTONIC))) {
			capture_flight_save(c, text);
		}
		trigger->revents = 0;
	}
}

void capture_flight_close(struct capture *c)
{
	for (size_t i = 0; c->triggers && i < c->args->triggers.nr; i++) {
		if (c->triggers[i].fd >= 0)
			close(c->triggers[i].fd);
	}
	free(c->triggers);
	zwb_flight_close(c->flight);
}
