/*
 * tests/config/test_texts.c - built-in texts have names of their own, and a dump says
 * which texts it was made with.
 */
#include "tests/lib/rig.h"

#include "config/lang/events.h"
#include "lib/checksum.h"
#include "config/texts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
a_digest_is_that_of_the_standard(void **state)
{
	/* FIPS 180-2, appendix B; lengths around a block by sha256sum(1) */
	static const struct {
		int line;
		const char *text;
		size_t times;
		const char *digest;
	} t[] = {
		{ __LINE__, "", 1, "e3b0c44298fc1c149afbf4c8996fb924"
		    "27ae41e4649b934ca495991b7852b855" },
		{ __LINE__, "abc", 1, "ba7816bf8f01cfea414140de5dae2223"
		    "b00361a396177a9cb410ff61f20015ad" },
		{ __LINE__, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmno"
		    "mnopnopq", 1, "248d6a61d20638b8e5c026930c3e6039"
		    "a33ce45964ff2167f6ecedd419db06c1" },
		{ __LINE__, "a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67"
		    "f1809a48a497200e046d39ccc7112cd0" },
		{ __LINE__, "a", 55, "9f4390f8d30c2dd92ec9f095b65e2b9a"
		    "e9b0a925a5258e241c9f1e910f734318" },
		{ __LINE__, "a", 56, "b35439a4ac6f0948b6d6f9e3c6af0f5f"
		    "590ce20f1bde7090ef7970686ec6738a" },
		{ __LINE__, "a", 64, "ffe054fe7ae0cb6dc65c3af9b61d5209"
		    "f439851db43d0ba5997337df154668eb" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		size_t n = strlen(t[i].text);
		char *all = malloc(n * t[i].times + 1), digest[SHA256_TEXT];

		assert_non_null(all);
		for (size_t k = 0; k < t[i].times; k++)
			memcpy(all + k * n, t[i].text, n);
		sha256_text(digest, all, n * t[i].times);
		if (strcmp(digest, t[i].digest) != 0)
			fail_msg("line %d: %s", t[i].line, digest);
		free(all);
	}
}

static void
a_built_in_text_is_called_with_an_at_sign(void **state)
{
	static const struct {
		int line;
		const char *name, *kind, *is;
	} t[] = {
		{ __LINE__, "@default-skx", TEXT_CONFIG, "default-skx.conf" },
		{ __LINE__, "@default-skx.conf", TEXT_CONFIG, "default-skx.conf" },
		{ __LINE__, "@skx", TEXT_METRICS, "skx.metrics" },
		{ __LINE__, "@c2758", TEXT_MACHINE, "c2758.machine" },
		{ __LINE__, "@c2758", TEXT_SITE, "c2758.site" },
		{ __LINE__, "@c2758.site", NULL, "c2758.site" },
		{ __LINE__, "@rangeley", NULL, "rangeley.groups" },
		{ __LINE__, "@c2758", NULL, NULL },
		{ __LINE__, "@skx", TEXT_CONFIG, NULL },
		{ __LINE__, "@c2758.site", TEXT_MACHINE, NULL },
		{ __LINE__, "@default-sk", NULL, NULL },
		{ __LINE__, "default-skx", NULL, NULL },
		{ __LINE__, "default-skx.conf", TEXT_CONFIG, NULL },
		{ __LINE__, "@", NULL, NULL },
		{ __LINE__, "", NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		const struct text *found = text_named(t[i].name, t[i].kind);

		if ((found == NULL) != (t[i].is == NULL) ||
		    (found != NULL && strcmp(found->name, t[i].is) != 0))
			fail_msg("line %d: %s", t[i].line,
			    found != NULL ? found->name : "none");
	}
}

static void
a_file_that_is_not_there_is_never_a_built_in_text(void **state)
{
	static const struct {
		int line;
		const char *name, *kind, *say;
	} t[] = {
		{ __LINE__, "no/default-skx.conf", TEXT_CONFIG, "no file "
		    "no/default-skx.conf; the built-in is @default-skx" },
		{ __LINE__, "io-icx.conf", TEXT_CONFIG, "no file io-icx.conf; "
		    "the built-in is @io-icx" },
		{ __LINE__, "io-icx", TEXT_CONFIG, "no file io-icx; the "
		    "built-in is @io-icx" },
		{ __LINE__, "c2758", TEXT_MACHINE, "no file c2758; the built-in "
		    "is @c2758" },
		{ __LINE__, "x", TEXT_SITE, "x: no such file; built in are "
		    "@c2758" },
		{ __LINE__, "@x", TEXT_SITE, "@x: no such built-in text; built "
		    "in are @c2758" },
		{ __LINE__, "@c2758", NULL, "@c2758: No such file or "
		    "directory" },
	};
	struct diag why;
	size_t size;
	char *text;

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		assert_int_equal(text_load(t[i].name, t[i].kind, &text, &size,
		    &why), -ENOENT);
		if (strcmp(why.text, t[i].say) != 0)
			fail_msg("line %d: %s", t[i].line, why.text);
	}
	assert_int_equal(text_none("@c2758", NULL, &why), -ENOENT);
	assert_string_equal(why.text,
	    "@c2758: which one? @c2758.machine @c2758.site");
}

static void
no_two_built_in_texts_of_a_kind_have_one_name(void **state)
{
	char name[80];

	(void)state;
	for (const struct text *t = texts; t->name != NULL; t++) {
		snprintf(name, sizeof(name), "@%.*s", text_base(t), t->name);
		assert_ptr_equal(text_named(name, text_kind(t)), t);
		snprintf(name, sizeof(name), "@%s", t->name);
		assert_ptr_equal(text_named(name, NULL), t);
	}
}

static void
what_was_read_is_kept_in_its_order(void **state)
{
	char *dir = tree_new(), path[300];
	struct config cfg;
	struct diag why;

	(void)state;
	tree_text(dir, "/mine.conf", "read aperf\n");
	snprintf(path, sizeof(path), "%s/mine.conf", dir);
	assert_int_equal(config_init(&cfg, model_named("skx")), 0);
	assert_int_equal(config_load(&cfg, "@software", &why), 0);
	assert_int_equal(config_load(&cfg, path, &why), 0);
	assert_string_equal(cfg.used->name, "@software");
	assert_string_equal(cfg.used->next->name, path);
	/* printf 'read aperf\n' | sha256sum */
	assert_string_equal(cfg.used->next->sha256, "d5ce7c8cb2f3375b40b297ee7be92709"
	    "146cff784b4cc641dd06ff3c51dedbc1");
	assert_null(cfg.used->next->next);
	config_fini(&cfg);
	tree_free(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_digest_is_that_of_the_standard),
		cmocka_unit_test(a_built_in_text_is_called_with_an_at_sign),
		cmocka_unit_test(a_file_that_is_not_there_is_never_a_built_in_text),
		cmocka_unit_test(no_two_built_in_texts_of_a_kind_have_one_name),
		cmocka_unit_test(what_was_read_is_kept_in_its_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
