/*
 * tests/test_no_memory.c - a plan that runs out of memory, wherever that is.
 *
 * calloc and realloc are this file's own: an array always moves, and the Nth
 * call finds nothing left.
 */
#include "tests/test.h"

#include "config/lang/events.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned fail_at, calls;         /* 0: never */
/* By a pointer, or the compiler makes a calloc of malloc and memset. */
static void *(*volatile get)(size_t) = malloc;

static bool
none_left(void)
{
	calls++;
	if (fail_at == 0 || calls != fail_at)
		return false;
	errno = ENOMEM;
	return true;
}

void *
calloc(size_t n, size_t size)
{
	void *p = none_left() ? NULL : get(n * size);

	return p != NULL ? memset(p, 0, n * size) : NULL;
}

void *
realloc(void *p, size_t size)
{
	size_t had = p != NULL ? malloc_usable_size(p) : 0;
	void *q = none_left() ? NULL : get(size);

	if (q == NULL)
		return NULL;
	if (p != NULL)
		memcpy(q, p, had < size ? had : size);
	free(p);
	return q;
}

/* A plan of `text` with every allocation failing in turn, until none does. */
static void
fails_cleanly(const char *machine, const char *text)
{
	struct rig *r = rig_bare(machine, "");
	struct node *node = &r->node;
	struct diag why;
	unsigned n;
	int rc = -ENOMEM;

	assert_int_equal(config_init(&node->config, node->topo.model), 0);
	if (config_parse(&node->config, "test.conf", text, strlen(text),
	    &why) < 0)
		fail_msg("%s", why.text);
	for (n = 1; rc < 0; n++) {
		calls = 0;
		fail_at = n;
		rc = plan_make(&node->plan, &node->config, &node->topo,
		    &node->inv, node->acc, &why);
		fail_at = 0;
		if (rc == 0)
			break;
		assert_int_equal(rc, -ENOMEM);
		assert_string_equal(why.text, "out of memory");
		plan_free(&node->plan);
	}
	assert_true(n > 20);
	rig_close(r);
}

static void
a_plan_of_all_kinds_of_columns_leaves_nothing_behind(void **state)
{
	(void)state;
	fails_cleanly("@skx-8160-2s",
	    "core fixed\ncore A event=0x3c\ncore B event=0xc0\n"
	    "imc CAS_COUNT.READS event=0x04,umask=0x03\nimc fixed\n"
	    "read aperf rapl_pkg_energy iio_bytes\n"
	    "set one\ncha C event=0x34,filter0=0x7fe0000\n"
	    "set two\ncha D event=0x3d,umask=0x01\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_plan_of_all_kinds_of_columns_leaves_nothing_behind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
