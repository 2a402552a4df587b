/*
 * daemon/run/handover.c - a sampler of a service, and how another one takes over.
 */
#include "daemon/run/handover.h"

#include "daemon/log.h"
#include "daemon/run/session.h"
#include "lib/printable.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/*
 * What a sampler of a service leaves to the next one, which trusts nothing in it.
 */

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

#define BEFORE_MS 120000        /* how long the sampler before may write its dump */

/* ---- words -------------------------------------------------------------- */

int
handover_send(int fd, const char *words, const int *with, unsigned n)
{
	union { char bytes[CMSG_SPACE(2 * sizeof(int))]; struct cmsghdr head; }
	    more = { { 0 } };
	struct iovec what = { (void *)(uintptr_t)words, strlen(words) };
	struct msghdr m = { .msg_iov = &what, .msg_iovlen = 1 };
	ssize_t rc;

	if (n > 0) {
		m.msg_control = more.bytes;
		m.msg_controllen = CMSG_SPACE(n * sizeof(int));
		more.head = (struct cmsghdr){ .cmsg_level = SOL_SOCKET,
		    .cmsg_type = SCM_RIGHTS,
		    .cmsg_len = CMSG_LEN(n * sizeof(int)) };
		memcpy(CMSG_DATA(&more.head), with, n * sizeof(int));
	}
	do
		rc = sendmsg(fd, &m, MSG_NOSIGNAL);
	while (rc < 0 && errno == EINTR);
	return rc < 0 ? -errno : 0;
}

int
handover_receive(int fd, char words[HANDOVER_WORDS], int with[2], bool wait)
{
	union { char bytes[CMSG_SPACE(2 * sizeof(int))]; struct cmsghdr head; }
	    more = { { 0 } };
	struct iovec what = { words, HANDOVER_WORDS - 1 };
	struct msghdr m = { .msg_iov = &what, .msg_iovlen = 1,
	    .msg_control = more.bytes, .msg_controllen = sizeof(more.bytes) };
	const struct cmsghdr *c;
	ssize_t n;

	with[0] = with[1] = -1;
	do
		n = recvmsg(fd, &m, MSG_CMSG_CLOEXEC | (wait ? 0 :
		    MSG_DONTWAIT));
	while (n < 0 && errno == EINTR);
	if (n < 0 && errno == EAGAIN)
		return 0;
	if (n <= 0)
		return n < 0 ? -errno : -EPIPE;
	words[n] = '\0';
	c = CMSG_FIRSTHDR(&m);
	if (c != NULL && c->cmsg_level == SOL_SOCKET &&
	    c->cmsg_type == SCM_RIGHTS)
		memcpy(with, CMSG_DATA(c), c->cmsg_len - CMSG_LEN(0));
	return 1;
}

static void
handover_answer(struct session *s, const char *words)
{
	handover_send(s->handover.fd, words, NULL, 0);
}

/* ---- the one that samples ----------------------------------------------- */

int
handover_ask(struct session *s, int from, struct diag *why)
{
	if (s->handover.fd <= 0)
		return diag_set(why, -ENOTSUP, "this tallyd cannot read its "
		    "configuration again: its run is not in segments "
		    "(--segment 1h, with --background or by systemd); stop "
		    "it, and start it anew");
	if (s->pause.on)
		return diag_set(why, -EBUSY, "it is paused: tallyd --resume "
		    "comes first");
	if (handover_send(s->handover.fd, "asked", &from, 1) < 0)
		return diag_set(why, -EPIPE, "the process that would start "
		    "another sampler has died: start tallyd anew");
	return 0;
}

/* Writes into the shared memory what the heir goes on with. */
static void
bequeath(struct session *s)
{
	struct heritage *h = s->handover.shared;
	const struct segments *g = &s->segments;

	h->segments = g->n;
	h->samples = g->sample + store_rows(s->store);
	h->first_number = g->first_number;
	snprintf(h->of, sizeof(h->of), "%s", g->of);
	save_path(&s->output.place, h->output);
	h->marks = s->marks;
}

void
handover_give(struct session *s)
{
	struct handover *h = &s->handover;
	struct pause_of of = session_pause_of(s);

	h->wanted = false;
	control_rest(&s->control, true);
	segments_spare(&s->segments);
	if (pause_give(&of, &h->shared->why) < 0) {
		control_rest(&s->control, false);
		handover_answer(s, "kept");
		return;
	}
	h->given = true;
	bequeath(s);
	handover_answer(s, "given");
}

/* The heir could not begin: samples again. */
static void
handover_go_on(struct session *s)
{
	s->handover.wanted = false;
	if (!s->handover.given)
		return;
	s->handover.given = false;
	if (s->sweep.pinned != NULL && s->node.plan.sets.n > 2) {
		log_warnx("threads that turned to other event sets meanwhile "
		    "cannot go on: sampling ends here");
		raise(SIGTERM);
	}
	control_rest(&s->control, false);
	/* the pause ends with the next look at it */
	s->pause.end_ns = access_mono(s->node.acc);
}

static void
handover_obey(struct session *s, const char *words)
{
	struct handover *h = &s->handover;
	char path[4096];

	if (strcmp(words, "give") == 0 && s->pause.on) {
		diag_set(&h->shared->why, -EBUSY, "it is paused: tallyd "
		    "--resume comes first");
		handover_answer(s, "kept");
	} else if (strcmp(words, "give") == 0)
		h->wanted = true;
	else if (strcmp(words, "go on") == 0)
		handover_go_on(s);
	else if (strcmp(words, "alone") == 0)
		s->segments.behind = false;
	else if (strcmp(words, "done") == 0) {
		h->done = true;
		if (segments_store_name(&s->segments, s->segments.n, path) !=
		    NULL)
			store_moved(s->store, path);
		store_sampled(s->store, false);
		raise(SIGTERM);
	}
}

bool
handover_serve(struct session *s)
{
	char words[HANDOVER_WORDS];
	int with[2], rc = 0;

	if (s->handover.fd <= 0)
		return false;
	while (!s->handover.wanted && (rc = handover_receive(s->handover.fd,
	    words, with, false)) > 0)
		handover_obey(s, words);
	if (rc < 0) {
		log_warnx("the process that started this one has died: "
		    "sampling ends here");
		control_also(&s->control, s->node.acc, -1);
		s->segments.behind = false;
		close(s->handover.fd);
		s->handover.fd = 0;
		raise(SIGTERM);
	}
	return s->handover.wanted;
}

/* ---- its heir ------------------------------------------------------------ */

void
handover_refused(struct session *s, const struct diag *why)
{
	log_warnx("%s", why->text);
	if (s->handover.fd > 0)
		s->handover.shared->why = *why;
}

static bool
handover_same(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

int
handover_may(const struct options *first, const struct options *now,
    struct diag *why)
{
	const struct { const char *name, *was, *is; } fixed[] = {
		{ "root", first->node.root, now->node.root },
		{ "journal", first->service.journal, now->service.journal },
		{ "socket", first->service.socket, now->service.socket },
		{ "pidfile", first->service.pidfile, now->service.pidfile },
		{ "user", first->service.user, now->service.user },
		{ "replay", first->node.replay, now->node.replay },
		{ "sim", first->node.machine, now->node.machine },
		{ "keep-root", first->service.keep_root ? "" : NULL,
		    now->service.keep_root ? "" : NULL },
		{ "virtual-time", NULL, now->node.virtual_time ? "" : NULL },
	};

	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		if (!handover_same(fixed[i].was, fixed[i].is))
			return diag_set(why, -EINVAL, "--%s has changed since "
			    "the start: that takes a restart",
			    fixed[i].name);
	if (now->dump.segment.kind == AMOUNT_NONE)
		return diag_set(why, -EINVAL, "--segment is not given any more: "
		    "without segments a run cannot go on with another "
		    "configuration; that takes a restart");
	return 0;
}

/* Takes the journal of the service, which is empty now. */
static void
take_journal(struct session *s)
{
	const struct journal *j = &s->handover.journal;

	if (j->fd < 0)
		return;
	s->journal = *j;
	s->journal.kept = true;
	s->journal.pid = s->handover.main;
	if (s->node.plan.nwrite == 0 || !journal_place(s->o, s->node.acc,
	    s->journal.path, sizeof(s->journal.path)))
		journal_leave(&s->journal);
}

int
handover_take(struct session *s, struct diag *why)
{
	char words[HANDOVER_WORDS];
	struct heritage *own;
	int with[2], rc;

	if (!s->handover.heir)
		return 0;
	handover_answer(s, "ready");
	if (handover_receive(s->handover.fd, words, with, true) < 0 ||
	    strcmp(words, "take") != 0)
		return diag_set(why, -EPIPE, "the service has ended");
	if ((own = s->handover.took = malloc(sizeof(*own))) == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	if ((rc = heritage_take(own, s->handover.shared, why)) < 0)
		return rc;
	s->marks = own->marks;
	if (s->samples != UINT64_MAX)
		s->samples = s->samples > own->samples ?
		    s->samples - own->samples : 1;
	take_journal(s);
	return 0;
}

void
handover_journal(struct session *s)
{
	int with[] = { s->journal.fd, s->journal.dir };

	if (s->handover.fd <= 0 || s->journal.fd < 0 || s->journal.kept)
		return;
	s->journal.kept = handover_send(s->handover.fd, "journal", with, 2) == 0;
	s->journal.pid = s->handover.main;
	journal_idle(&s->journal);
}

void
handover_begun(struct session *s)
{
	int with[2];
	char words[] = "begun\0\0";
	size_t n = strlen(words);

	if (s->control.fd >= 0) {
		with[n - 5] = s->control.fd;
		words[n++] = 'c';
	}
	if (s->output.claim >= 0) {
		with[n - 5] = s->output.claim;
		words[n++] = 'o';
	}
	handover_send(s->handover.fd, words, with, (unsigned)n - 5);
}

void
handover_alone(struct session *s)
{
	struct pollfd p = { s->handover.fd, POLLIN, 0 };

	while (s->segments.behind && s->handover.fd > 0 &&
	    (poll(&p, 1, BEFORE_MS) > 0 || errno == EINTR))
		handover_serve(s);
}

void
handover_leave(struct handover *h)
{
	if (h->fd <= 0)
		return;
	close(h->fd);
	h->fd = 0;
}
