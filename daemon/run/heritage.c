/*
 * daemon/run/heritage.c - what a sampler of a service leaves to the one that
 * follows it.  It is checked like a stranger's file.
 */
#include "daemon/run/heritage.h"

#include "lib/printable.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

/* More than a run can have: a segment a millisecond for a thousand years. */
#define MOST UINT64_C(100000000000000)

static void
end_text(char *text, size_t size)
{
	text[size - 1] = '\0';
	printable(text);
}

static bool
sound_marks(struct mark_notes *m)
{
	struct diag why;

	if (m->nopen > OPEN_JOBS)
		return false;
	for (unsigned i = 0; i < m->nopen; i++) {
		m->open[i].text[MARK_WORDS] = '\0';
		if (mark_words_check(m->open[i].text, &why) < 0)
			return false;
	}
	/* these count within a store, and the heir has another one */
	m->n = 0;
	m->bytes = 0;
	return true;
}

int
heritage_take(struct heritage *own, const struct heritage *shared,
    struct diag *why)
{
	memcpy(own, shared, sizeof(*own));
	/* from here on only the copy is used: the original may change at any time */
	atomic_signal_fence(memory_order_seq_cst);
	end_text(own->of, sizeof(own->of));
	own->output[sizeof(own->output) - 1] = '\0';
	end_text(own->why.text, sizeof(own->why.text));
	if (own->segments == 0 || own->segments > MOST ||
	    own->first_number == 0 || own->first_number > MOST ||
	    own->samples > MOST || !sound_marks(&own->marks))
		return diag_set(why, -EINVAL, "what the sampler before has left "
		    "is not valid: restart the service");
	return 0;
}

const char *
heritage_why(struct heritage *shared, struct diag *own)
{
	memcpy(own, &shared->why, sizeof(*own));
	atomic_signal_fence(memory_order_seq_cst);
	end_text(own->text, sizeof(own->text));
	return own->text;
}
