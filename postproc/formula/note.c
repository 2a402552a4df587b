/*
 * postproc/formula/note.c - what has to be known of a figure to read it right.
 */
#include "postproc/formula/bind.h"
#include "postproc/data/turns.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

bool
figure_lacks(const struct figure *f)
{
	return f->left_out > 0 || f->of > 0;
}

double
figure_part(const struct figure *f)
{
	return (f->of > 0 ? (double)f->have / f->of : 1) -
	    (f->left_out > 0 ? 1 : 0);
}

bool
figure_is_estimate(const struct figure *f)
{
	return f->ran < 0.9999;
}

char
figure_mark(const struct figure *f)
{
	return f->wrong ? '!' : figure_lacks(f) ? '*' : ' ';
}

/* Writes "of 4 of 96 lprocs"; "" where the figure is of all units. */
static const char *
note_unit_count(const struct binding *b, const struct figure *f, char *buf,
    size_t size)
{
	const struct domain *d = &b->domain[f->domain];
	size_t n;

	buf[0] = '\0';
	if (f->of == 0)
		return buf;
	n = (size_t)snprintf(buf, size, "of %u of %u ", f->have, f->of);
	if (n >= size)
		return buf;
	if (d->level != LEVEL_BOX)
		snprintf(buf + n, size - n, "%s", d->by_core ? "cores" :
		    d->level == LEVEL_LPROC ? "lprocs" : "packages");
	else if (strchr(d->family, '*') != NULL)
		snprintf(buf + n, size - n, "boxes");
	else {
		snprintf(buf + n, size - n, "%s boxes", d->type != NULL ?
		    d->type->name : d->family);
		for (char *c = buf + n; *c != '\0' && d->type != NULL; c++)
			*c = (char)tolower((unsigned char)*c);
	}
	return buf;
}

/*
 * Writes what turns mean for a figure: "estimate: +- 0.12", in the figure's unit, or
 * "estimate" where its digits do not show the error;
 * "estimate: counted 8.9 % of the time ..." where nobody knows its error; "" where the
 * events were always counted.
 */
static const char *
turns(const struct binding *b, const struct figure *f, char *buf, size_t size)
{
	bool each = head_number(b->reader, HEAD_TURNS, ALONE, 0) > 0;
	char part[24] = "less than 0.1";

	if (f->ran >= 0.0005)
		snprintf(part, sizeof part, "%.1f", 100 * f->ran);
	buf[0] = '\0';
	if (f->no_turn != TURN_NONE)
		snprintf(buf, size, "its event %s did not run", f->no_turn ==
		    TURN_SET ? "set" : "group");
	else if (f->unscaled)
		snprintf(buf, size, "not scaled: counted %s %% of the time "
		    "alone", part);
	else if (!figure_is_estimate(f) || isnan(f->value))
		return buf;
	else if (f->error <= 1e-6 * fabs(f->value))
		/* that is less than the digits of the value show, and not 0 */
		snprintf(buf, size, "estimate");
	else if (!isnan(f->error))
		snprintf(buf, size, "estimate: +- %.2g", f->error);
	else
		snprintf(buf, size, "estimate: counted %s %% of the time, %sand "
		    "its error is not known", part, each ? "" :
		    "a burst at another time is not in it, ");
	return buf;
}

/* Writes an input as formulas have it: core["A"]. */
static const char *
input_name(const struct input *in, char *buf, size_t size)
{
	if (in->event != NULL)
		snprintf(buf, size, "%s[\"%s\"]", in->name, in->event);
	else
		snprintf(buf, size, "%s", in->name);
	return buf;
}

/* Writes what was 0 of a divisor: see NA_BY_ZERO. */
static const char *
divisor_name(const struct binding *b, uint32_t zero, char *buf, size_t size)
{
	uint32_t input = (zero & ~NA_AND_OTHERS) - 1;
	char name[160];

	if (input >= b->ninput)
		snprintf(buf, size, "what it is divided by was 0");
	else
		snprintf(buf, size, "divided by %s%s 0", input_name(
		    &b->input[input], name, sizeof name), zero & NA_AND_OTHERS ?
		    " and others, which were" : ", which was");
	return buf;
}

const char *
figure_why(const struct binding *b, const struct figure *f, char *buf,
    size_t size)
{
	static const char *const words[] = { [NA_UNTOLD] = "",
		[NA_BY_ZERO] = "",
		[NA_NO_UNIT] = "no such unit here",
		[NA_NO_COLUMN] = "no %s here",
		[NA_LEFT_OUT] = "%s: no delta of it is a count (tally check "
		    "says why)",
		[NA_FOREIGN] = "%s was restarted or given another event from "
		    "outside: what it counts since is not known",
		[NA_STOPPED] = "%s stood still: it was stopped",
		[NA_NO_VALUE] = "%s was not read in this time",
		[NA_IN_COMMON] = "no unit has %s and all other inputs",
		[NA_APART] = "its inputs are known of different times",
		[NA_TIME] = "no time passed", [NA_TSC] = "no TSC (Arm: generic timer)",
		[NA_PART] = "counted for whole packages: what of it is this "
		    "part's is not known",
		[NA_WALL] = "no wall clock",
		[NA_MONOTONIC] = "the dump's head has no tsc_hz",
		[NA_HEAD] = "the dump's head has not one %s for it",
		[NA_UNCOUNTED] = "%s is not counted here: it never moved",
		[NA_BEYOND] = "its events were not all counted at one time, and "
		    "what they are estimated at cannot be",
	};
	uint32_t input = 0;
	enum na why = na_why(f->value, &input);
	char name[160] = "";
	const char *at = strstr(words[why], "%s");

	buf[0] = '\0';
	if (!isnan(f->value))
		return buf;
	if (f->no_turn != TURN_NONE)
		return turns(b, f, buf, size);
	if (f->missing != NULL)
		snprintf(buf, size, "missing %s", f->missing);
	else if (why == NA_BEYOND)
		snprintf(buf, size, "%s (%.4g %s)", f->guessed ? words[why] :
		    "it is an estimate of few counts, which cannot be",
		    f->guess, f->metric->unit);
	else if (why == NA_BY_ZERO)
		divisor_name(b, input, buf, size);
	else if (at == NULL)
		snprintf(buf, size, "%s", words[why]);
	else if (input < b->ninput)
		snprintf(buf, size, "%.*s%s%s", (int)(at - words[why]),
		    words[why], input_name(&b->input[input], name,
		    sizeof name), at + 2);
	return buf;
}

const char *
figure_note(const struct binding *b, const struct figure *f, const char *more,
    char *buf, size_t size)
{
	char some[80], part[120], why[240], lack[240] = "", known[60] = "";
	const char *word[] = { !f->wrong ? "" : f->outside ? "out of range" :
	    "another counter contradicts it",
	    lack, note_unit_count(b, f, some, sizeof some), known,
	    turns(b, f, part, sizeof part),
	    f->no_turn != TURN_NONE ? "" : figure_why(b, f, why, sizeof why),
	    f->apart ? "its events were not counted at one time" : "",
	    f->misleads != NULL ? f->misleads : "",
	    more != NULL ? more : "" };
	size_t n = 0;

	if (f->without != NULL && !isnan(f->value))
		snprintf(lack, sizeof lack, "without %s", f->without);
	if (f->left_out > 0 && f->known > 0 && f->known < 0.9995 &&
	    !isnan(f->value))
		snprintf(known, sizeof known, "known for %.1f %% of the time",
		    100 * f->known);
	buf[0] = '\0';
	for (size_t i = 0; i < sizeof word / sizeof *word; i++)
		if (word[i][0] != '\0' && n < size)
			n += (size_t)snprintf(buf + n, size - n, "%s%s",
			    n > 0 ? "; " : "", word[i]);
	return buf;
}
