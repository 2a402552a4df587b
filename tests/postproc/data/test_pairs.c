/*
 * tests/postproc/data/test_pairs.c - figures that two independent counters give: tally check
 * says which agree, which differ, and which cannot be compared, and why.
 */
#include "tests/lib/doctor.h"
#include "tests/lib/files.h"
#include "tests/lib/tally_command.h"

#include <stdlib.h>
#include <string.h>

#include "postproc/commands.h"
#include "postproc/pages/pairs.h"

/* The dump of a machine, 20 samples from the start, as tallyd writes it. */
static char *
dump_of(const char *options)
{
	static char path[256];
	char tallyd[512], line[1400];

	snprintf(path, sizeof path, "%s/machine", test_dir);
	snprintf(line, sizeof line, "%s -q --virtual-time -n 20 --overwrite -o "
	    "%s %s 2>%s/err", built("tallyd", tallyd), path, options, test_dir);
	if (system(line) != 0)
		fail_msg("%s", line);
	return path;
}

/* " pair: NAME: ...: what" of a line: ", NAME what" for its kind.  what: up to the
 * bound, or all of it where that is why they cannot be compared. */
static void
add_pair(char *kind, size_t size, const char *name, const char *between,
    const char *what, const char *after)
{
	size_t n = strlen(kind);

	snprintf(kind + n, size - n, "%s%.*s%s%.*s%s", n > 0 ? ", " : "",
	    (int)strcspn(name, ":"), name, between, (int)strcspn(what, *after ?
	    "\n" : ","), what, after);
}

/* Pairs of `tally check -v`, a line each, by kind in one line. */
static void
sum_up(const char *text, FILE *f)
{
	static const char *const title[] = { "pairs that agree", "pairs that "
	    "differ", "pairs that cannot be compared", "neither side counted" };
	char kind[4][2000] = { "" };
	const char *line = text, *end, *name, *at;

	for (; *line != '\0'; line = end + 1) {
		char one[2000];

		end = strchr(line, '\n');
		snprintf(one, sizeof one, "%.*s", (int)(end - line), line);
		if ((name = strstr(one, " pair: ")) == NULL)
			continue;
		name += strlen(" pair: ");
		if (strstr(name, ": neither is counted: ") != NULL)
			add_pair(kind[3], 2000, name, "", "", "");
		else if ((at = strstr(name, " cannot be compared: ")) != NULL)
			add_pair(kind[2], 2000, name, " (", at + 21, ")");
		else if ((at = strstr(name, ": agrees: ")) != NULL)
			add_pair(kind[0], 2000, name, " ", at + 10, "");
		else if ((at = strstr(name, ": differs")) != NULL)
			add_pair(kind[1], 2000, name, " ", strchr(at + 2, ':') + 2,
			    "");
	}
	for (unsigned i = 0; i < 4; i++)
		if (kind[i][0] != '\0')
			fprintf(f, "; %s: %s", title[i], kind[i]);
}

/* What it says with -v; at the end of its last line pairs are summed up. */
static char *
check(int want, const char *more, const char *path)
{
	char words[700], *text, *whole;
	size_t size;
	FILE *f;

	snprintf(words, sizeof words, "check -v%s %s", more, path);
	text = said(want, cmd_check, words, NULL);
	if (strstr(more, "csv") != NULL)
		return text;
	assert_non_null(f = open_memstream(&whole, &size));
	fprintf(f, "%.*s", (int)strlen(text) - 1, text);
	sum_up(text, f);
	fputc('\n', f);
	fclose(f);
	free(text);
	return whole;
}

static char *
doctored_check(int want, const char *path, const struct doing_to *to,
    const char *head, const char *line)
{
	struct doctored d;
	char *text;

	doctored_load(&d, path);
	if (to != NULL && doctor(&d, to) == 0)
		fail_msg("nothing is like %s", to->columns);
	if (head != NULL)
		assert_true(doctor_head(&d, head, line) > 0);
	text = check(want, "", doctored_write(&d, "changed"));
	doctored_free(&d);
	return text;
}

/* ---- agrees -------------------------------------------------------------- */

static const struct {
	const char *options, *agree, *cannot;
} clean[] = {
	{ "--sim @skx-8160-2s -c @original-skx",
	  "core_misses 11.98 %, upi 100 %, core_cycles 99.72 %, ref_cycles "
	  "99.75 %, energy_tdp 38.3 %, iio_in 192.9 %, iio_out 202.6 %, tsc_wall "
	  "100 %, tsc_monotonic 99.76 %",
	  "compared: imc_reads (missing m2m[\"IMC_READS.ALL\"]), "
	  "cha_misses (missing cha[\"TOR_INSERTS.IA_MISS_DRD\"])\n" },
	{ "--sim @icx-8358-2s",
	  "dram_reads 100 %, dram_writes 100 %, core_misses 7.254 %, upi 100 %, "
	  "core_cycles 100 %, ref_cycles 100 %, energy_tdp 59.15 %, iio_in 100 "
	  "%, iio_out 100.8 %, tsc_wall 100 %, tsc_monotonic 100 %",
	  "compared: imc_reads (missing m2m[\"IMC_READS.ALL\"])" },
	{ "--sim @hsx-2699-2s",
	  "imc_reads 36.14 %, core_misses 35.49 %, cha_misses 18.41 %, qpi 103.3 "
	  "%, core_cycles 100 %, ref_cycles 100 %, energy_tdp 64.23 %, tsc_wall "
	  "100 %, tsc_monotonic 100 %", "tsc_monotonic 100 %\n" },
	{ "--sim @c2758",
	  "core_cycles 100 %, ref_cycles 100 %, energy_parts 166.7 %, energy_tdp "
	  "75 %, tsc_wall 100 %, tsc_monotonic 100 %",
	  "tsc_monotonic 100 %\n" },
	{ "--sim @skx-locked -c @original-skx", "core_misses 11.98 %, upi 100 %, core_cycles "
	  "99.71 %, ref_cycles 99.73 %, energy_tdp 38.3 %, iio_in 143.5 %",
	  "cha_misses (missing cha[\"TOR_INSERTS.IA_MISS_DRD\"])\n" },
	{ "--sim @grace-2s", "remote_reads 5.604 %, remote_writes 6.052 %, "
	  "tsc_wall 100 %", "tsc_monotonic (missing "
	  "tsc_hz_nominal)\n" },
	/* each part in the intervals of its set */
	{ "--sim @icx-8358-2s -c @io-icx --rotate 1 -n 120", "iio_in_part0 100 %, "
	  "iio_in_part1 100 %, iio_in_part2 100 %, iio_out_part0 100.8 %, "
	  "iio_out_part2 100.5 %, tsc_wall 100 %, tsc_monotonic 100 %",
	  "iio_in (never counted in the same interval), iio_out (never counted "
	  "in the same interval); neither side counted: imc_reads, " },
	{ "--sim @skx-8160-2s -c @io-skx --rotate 1 -n 60", "iio_in_part0 224.2 %, "
	  "iio_in_part1 155.5 %, iio_in_part2 205 %, iio_in_part3 189.4 %",
	  "energy_tdp (missing rapl_pkg_energy), iio_in (" },
};

static void
both_counters_of_a_simulated_machine_agree(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof clean / sizeof *clean; i++) {
		char *text = check(EXIT_OK, "", dump_of(clean[i].options));
		char want[500];

		snprintf(want, sizeof want, ": sound; pairs that agree: %s",
		    clean[i].agree);
		if (strstr(text, want) == NULL ||
		    strstr(text, clean[i].cannot) == NULL)
			fail_msg("%s: neither %s nor %s in %s",
			    clean[i].options, want, clean[i].cannot, text);
		free(text);
	}
}

static void
the_recording_has_no_pair_that_differs(void **state)
{
	static const struct {
		const char *range;
		int status;
		const char *agree;
	} of[] = {
		{ " -s 0:17", EXIT_OK, "core_cycles 92.36 %, ref_cycles 91.41 %, "
		    "energy_tdp 35.33 %, tsc_wall 100 %;" },
		{ " -s 19:29", EXIT_FINDINGS, "core_cycles 99.98 %, ref_cycles 99.98 %, "
		    "energy_tdp 91.8 %, tsc_wall 100 %;" },
		{ "", EXIT_FINDINGS, "core_cycles 99.97 %, ref_cycles 99.97 %, energy_tdp "
		    "57.3 %, tsc_wall 100 %;" },
	};
	char path[512];

	(void)state;
	recording(path);
	for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
		char *text = check(of[i].status, of[i].range, path);

		assert_null(strstr(text, "pairs that differ"));
		holds(text, of[i].agree);
	}
}

/* A row each, for programs: with both values and what the bound is. */
static void
each_pair_is_a_row_with_its_values_and_its_bound(void **state)
{
	char *path = dump_of("--sim @icx-8358-2s");

	(void)state;
	holds(check(EXIT_OK, " -f csv", path), ",note,,,pair,\"dram_reads: CAS "
	    "reads of the channels: 3.046 GB; bytes that the controllers "
	    "read: 3.046 GB: agrees: 100 %, right is 98 to 102 %: both count "
	    "the same bursts of 64 bytes\"");
	holds(check(EXIT_OK, " -f csv", path), ",note,,,pair,\"imc_reads: reads "
	    "that controllers were asked for and CAS reads cannot be compared: "
	    "missing m2m");
	/* of QPI, which this CPU has not, there is nothing to be said */
	lacks(check(EXIT_OK, " -f csv", path), "qpi");
}

static void
who_does_not_ask_is_not_told_what_agrees(void **state)
{
	char *path = dump_of("--sim @icx-8358-2s"), words[600], want[600];
	char *text;

	(void)state;
	snprintf(words, sizeof words, "check %s", path);
	text = said(EXIT_OK, cmd_check, words, NULL);
	snprintf(want, sizeof want, "%s: 20 samples, 19.000 s, ", path);
	assert_memory_equal(text, want, strlen(want));
	assert_string_equal(strrchr(text, ':'), ": sound\n");
	assert_true(strchr(text, '\n')[1] == '\0');
	free(text);
	strcat(words, " --verbose");
	holds(said(EXIT_OK, cmd_check, words, NULL), "machine: pair: dram_reads: "
	    "CAS reads of the channels: 3.046 GB; bytes that the controllers "
	    "read: 3.046 GB: agrees: 100 %, right is 98 to 102 %: both count "
	    "the same bursts of 64 bytes\n");
}

/* The guide's examples: a CPU of socket 1 reads, then writes memory of socket 0,
 * three times over; then a third of what it read and was written back is missing
 * at socket 0. */
static void
sockets_of_grace_see_what_the_guide_tells_its_readers_to_expect(void **state)
{
	static const char head[] = "host = \"n\"\nmodel = \"grace\"\n"
	    "packages = 2\ntsc_hz = 1000000000\n";
	static const struct {
		unsigned read_there, wb;
		const char *finds[3];
	} t[] = {
		{ 33542984, 31000000, { "read there by all CPUs: 3.22 GB: agrees: "
		    "107.9 %", "written there by all CPUs: 2.98 GB: agrees: 96.82 "
		    "%", "the bytes of other writes: 2.98 GB: agrees: 100 %" } },
		{ 23542984, 21000000, { "2.26 GB over all of the run: differs by",
		    "written there by all CPUs: 2.98 GB: agrees: 96.82 %",
		    "2.02 GB over all of the run: differs by" } },
	};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		char text[3000], *said;
		size_t n = (size_t)snprintf(text, sizeof text, "%s", head);
		const struct { unsigned pkg; const char *event; unsigned v; }
		row[] = {
			{ 1, "REMOTE_SOCKET_RD_DATA", 36189087 },
			{ 0, "REMOTE_SOCKET_RD_DATA", 0 },
			{ 0, "CMEM_RD_DATA", t[i].read_there },
			{ 1, "CMEM_RD_DATA", 0 },
			{ 1, "REMOTE_SOCKET_WR_TOTAL_BYTES", 961728219 },
			{ 0, "REMOTE_SOCKET_WR_TOTAL_BYTES", 0 },
			{ 0, "CMEM_WR_TOTAL_BYTES", 993278696 },
			{ 1, "CMEM_WR_TOTAL_BYTES", 0 },
			{ 0, "CMEM_WB_DATA", t[i].wb },
			{ 1, "CMEM_WB_DATA", 0 },
			{ 0, "CMEM_WR_DATA", 993278696 - 31000000 * 32 },
			{ 1, "CMEM_WR_DATA", 0 },
		};

		for (unsigned at = 0; at < 4; at++) {
			n += (size_t)sprintf(text + n, "tsc[%u] = %u\n"
			    "walltime[0][%u] = 1\nwalltime[1][%u] = %u\n", at,
			    1000 + at * 134526031, at, at, at * 134526);
			for (size_t k = 0; k < sizeof row / sizeof *row; k++)
				n += (size_t)sprintf(text + n, "scf_counts[%u]"
				    "[0][\"%s\"][%u] = %u\n", row[k].pkg,
				    row[k].event, at, at * row[k].v);
		}
		said = check(i == 0 ? EXIT_OK : EXIT_FINDINGS, "",
		    test_put("guide", text));
		for (unsigned k = 0; k < 3; k++)
			if (strstr(said, t[i].finds[k]) == NULL)
				fail_msg("%zu: no %s in %s", i,
				    t[i].finds[k], said);
		free(said);
	}
}

/* ---- differs ------------------------------------------------------------- */

static const struct {
	int line;
	const char *machine;
	struct doing_to to;
	const char *finding;
} off[] = {
#define GROW(line, machine, columns, by, finding) \
	{ line, machine, { DO_GROW, columns, 1, 19, by }, finding }
#define SHRINK(line, machine, columns, by, finding) \
	{ line, machine, { DO_SHRINK, columns, 1, 19, by }, finding }
	GROW(__LINE__, "@icx-8358-2s", "imc_counts[1][*][\"CAS_COUNT.RD\"]", 2,
	    "samples 0-19: pair: dram_reads: CAS reads of the channels of "
	    "package 1: "),
	SHRINK(__LINE__, "@icx-8358-2s", "imc_ddr_write_bytes[*", 2,
	    "pair: dram_writes: CAS writes of the channels of package 0: "),
	GROW(__LINE__, "@hsx-2699-2s", "ha_counts[*IMC_READS.NORMAL*", 4,
	    "pair: imc_reads: reads that controllers were asked for of "
	    "package "),
	GROW(__LINE__, "@hsx-2699-2s", "core_counts[*LONGEST_LAT_CACHE.MISS*", 4,
	    "pair: core_misses: L3 misses of the cores of package "),
	GROW(__LINE__, "@hsx-2699-2s", "cbo_counts[*TOR_INSERTS.MISS_LOCAL*", 8,
	    "pair: cha_misses: L3 misses that the CHAs saw of package "),
	GROW(__LINE__, "@skx-8160-2s", "upi_counts[0]*TxL_FLITS.ALL_DATA*", 2,
	    "samples 0-19: pair: upi: UPI data sent of package 0: "),
	SHRINK(__LINE__, "@skx-8160-2s", "upi_counts[0]*RxL_FLITS.ALL_DATA*", 2,
	    "samples 0-19: pair: upi: UPI data sent of package 1: "),
	GROW(__LINE__, "@hsx-2699-2s", "qpi_counts[1]*RxL_FLITS_G1.DRS_DATA*", 2,
	    "pair: qpi: QPI data sent of package 0: "),
	SHRINK(__LINE__, "@hsx-2699-2s", "core_fixed_counts[*CPU_CLK_Unhalted.Core*", 2,
	    "pair: core_cycles: APERF of package 0: "),
	SHRINK(__LINE__, "@c2758", "aperf[*", 2, "samples 0-19: pair: "
	    "core_cycles: APERF of package 0: 147.8 G; cycles counted: 295.6 G "
	    "in 19 of 19 intervals: differs by -50 %: 50 %, right is 98 to 102 %: "),
	SHRINK(__LINE__, "@c2758", "mperf[*", 2, "pair: ref_cycles: "),
	{ __LINE__, "@c2758", { DO_GROW, "rapl_pp0_energy[0]", 8, 19, 2 },
	    "samples 7-19: pair: energy_parts: package energy of package 0: 180 "
	    "J; energy of its cores: 216 J in 12 of 19 intervals: differs by -16.67 %: 83.33 %, right is "
	    "100 % or more: the whole is no less than a part" },
	{ __LINE__, "@skx-8160-2s", { DO_GROW, "rapl_pkg_energy[0]", 11, 17, 6 },
	    "samples 10-17: pair: energy_tdp: package energy of package 0: 2340 "
	    "J; TDP x time: 1050 J in 7 of 18 intervals" },
	GROW(__LINE__, "@skx-8160-2s", "iio_counts[*OF_CPU.MEM_WRITE*", 4,
	    "pair: iio_in: bytes in by PCIe, by counters that always run of package "),
	GROW(__LINE__, "@skx-8160-2s", "iio_counts[1]*OF_CPU.MEM_READ*", 4,
	    "pair: iio_out: bytes out by PCIe, by counters that always run of package 1"),
	{ __LINE__, "@icx-8358-2s -c @io-icx --rotate 1 -n 120", { DO_GROW,
	    "iio_counts[*OF_CPU.MEM_WRITE.PART0*", 1, 119, 2 }, "pair: "
	    "iio_in_part0: bytes in by PCIe, by counters that always run of package 0: "
	    "30.73 GB; written by devices: 61.44 GB in 3 of 9 intervals: differs by "
	    "-49.98 %: 50.02 %" },
#undef GROW
#undef SHRINK
};

static void
one_of_a_pair_that_is_off_is_found_and_named(void **state)
{
	char path[512] = "";
	unsigned failed = 0;

	(void)state;
	for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
		char options[80], *text;

		snprintf(options, sizeof options, "--sim %s", off[i].machine);
		snprintf(path, sizeof path, "%s", dump_of(options));
		text = doctored_check(EXIT_FINDINGS, path, &off[i].to, NULL, NULL);
		if (strstr(text, off[i].finding) == NULL) {
			print_error("line %d: no %s in %s\n", off[i].line,
			    off[i].finding, text);
			failed++;
		}
		free(text);
	}
	assert_int_equal(failed, 0);
}

static void
a_rate_of_the_tsc_that_no_clock_has_is_found(void **state)
{
	char *path = dump_of("--sim @icx-8358-2s");

	(void)state;
	holds(doctored_check(EXIT_FINDINGS, path, NULL, "tsc_hz_nominal",
	    "tsc_hz_nominal = 2400000000"), "pair: tsc_monotonic: ");
}

/* Counted in one interval by this counter and in the next one by that: a burst
 * between two readings. */
static void
what_comes_right_again_in_the_next_interval_agrees(void **state)
{
	struct doing_to late = { DO_ADD,
	    "upi_counts[0]*TxL_FLITS.ALL_DATA*", 7, 7, 20000 };
	char *text;

	(void)state;
	text = doctored_check(EXIT_OK, dump_of("--sim @skx-8160-2s "
	    "-c @original-skx"), &late, NULL, NULL);
	assert_null(strstr(text, "pairs that differ"));
	holds(text, ": sound; pairs that agree: core_misses 11.98 %, upi 100 "
	    "%, ");
}

/* ---- cannot be compared -------------------------------------------------- */

static void
what_cannot_be_compared_says_why(void **state)
{
	static const struct {
		const char *conf, *why;
	} of[] = {
		{ "read rapl_pkg_energy\n", "core_cycles, " },
		{ "read aperf mperf\n", "core_cycles (missing core_fixed_counts"
		    "[\"CPU_CLK_UNHALTED.THREAD\"])" },
		{ "imc[0-3] CAS_COUNT.RD event=0x04,umask=0x03\n"
		  "imc[0-3] CAS_COUNT.WR event=0x04,umask=0x0c\n"
		  "core OFFCORE_REQUESTS.L3_MISS_DEMAND_DATA_RD event=0xb0,"
		  "umask=0x10\n"
		  "upi RxL_FLITS.ALL_DATA event=0x03,umask=0x0f\n",
		  "core_misses (IMC 4 of package 0 is not counted)" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
		char options[400];

		snprintf(options, sizeof options, "--sim @skx-8160-2s -c %s",
		    test_put("pairs.conf", of[i].conf));
		holds(check(EXIT_OK, "", dump_of(options)), of[i].why);
	}
}

static void
too_few_intervals_are_not_compared(void **state)
{
	(void)state;
	holds(check(EXIT_OK, " -s 0:2", dump_of("--sim @c2758")), "core_cycles "
	    "(fewer than 3 intervals have both)");
}

/* Flits that each package sends in a second, and receives. */
static char *
links(unsigned packages, const unsigned *sent, const unsigned *received)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	fprintf(f, "model = \"skx\"\nTSC_ratio = 20\npackages = %u\n",
	    packages);
	for (unsigned i = 0; i < 6; i++) {
		fprintf(f, "tsc[%u] = %llu\nwalltime[0][%u] = %u\n"
		    "walltime[1][%u] = 0\n", i, i * 2000000000ull, i,
		    1700000000 + i, i);
		for (unsigned p = 0; p < packages; p++)
			fprintf(f, "upi_counts[%u][0][\"TxL_FLITS.ALL_DATA\"]"
			    "[%u] = %u\nupi_counts[%u][0][\"RxL_FLITS.ALL_DATA"
			    "\"][%u] = %u\n", p, i, sent[p] * i, p, i,
			    received[p] * i);
	}
	fclose(f);
	return text;
}

static void
who_is_at_the_other_end_of_a_link(void **state)
{
	static const struct {
		unsigned packages, sent[3], received[3];
		const char *says;
	} of[] = {
		/* of two packages the other one */
		{ 2, { 9000000, 1000000 }, { 1000000, 9000000 },
		    "agree: upi 100 %" },
		{ 2, { 9000000, 1000000 }, { 9000000, 1000000 },
		    "pairs that differ: upi 900 %" },
		/* of three any of the others */
		{ 3, { 9000000, 1000000, 2000000 }, { 4000000, 4000000, 4000000 },
		    "agree: upi 100 %" },
		{ 3, { 9000000, 1000000, 2000000 }, { 9000000, 9000000, 9000000 },
		    "pairs that differ: upi 44.44 %" },
		{ 1, { 9000000 }, { 9000000 }, "upi (there is one package)" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
		char *dump = links(of[i].packages, of[i].sent, of[i].received);
		char *text = check(strstr(of[i].says, "differ") != NULL ?
		    EXIT_FINDINGS : EXIT_OK, "", test_put("links", dump));

		if (strstr(text, of[i].says) == NULL)
			fail_msg("%zu: no %s in %s", i, of[i].says, text);
		free(text);
		free(dump);
	}
}

static void
counters_of_other_rings_are_not_compared(void **state)
{
	(void)state;
	holds(doctored_check(EXIT_OK, dump_of("--sim @c2758"), NULL,
	    "IA32_FIXED_CTR_CTRL[5]", "IA32_FIXED_CTR_CTRL[5] = 0x323"),
	    "pairs that cannot be compared: core_cycles (fixed counter 1 of lproc "
	    "5 does not count all that its thread does)\n");
}

static void
counters_that_were_stopped_are_not_compared(void **state)
{
	struct doing_to stop = { DO_STAY, "imc_counts[*", 2, 19, 0 };
	char *text;

	(void)state;
	text = doctored_check(EXIT_FINDINGS, dump_of("--sim @icx-8358-2s"), &stop,
	    NULL, NULL);
	assert_null(strstr(text, "pairs that differ"));
	holds(text, "dram_reads (");
}

/* DDR5-6400, three quarters of what it can move: 600 M commands a second of each channel,
 * whose DCLK is 1.6 GHz as Intel's list has it, 3.2 GHz as PCM has it. */
static void
granite_rapids_memory_clock_may_be_a_quarter_of_the_transfer_rate(void **state)
{
	static const char *const dclk[] = { "1600000000", "3200000000" };
	char line[500];

	(void)state;
	for (size_t i = 0; i < sizeof dclk / sizeof dclk[0]; i++) {
		snprintf(line, sizeof line, "like @gnr-6960p-2s\n"
		    "event imc fixed all=%s\nevent imc 0xcf05 all=300000000\n"
		    "event imc 0xcf06 all=300000000\n", dclk[i]);
		snprintf(line, sizeof line, "--sim %s", test_put("gnr.machine",
		    line));
		free(check(EXIT_OK, "", dump_of(line)));
	}
	snprintf(line, sizeof line, "like @gnr-6960p-2s\n"
	    "event imc fixed all=1600000000\n"
	    "event imc 0xcf05 all=900000000\n");
	snprintf(line, sizeof line, "--sim %s", test_put("gnr.machine", line));
	holds(check(EXIT_FINDINGS, "", dump_of(line)), "pair: dram_clock: ");
}

static void
a_pair_with_nothing_at_its_right_differs_without_a_share(void **state)
{
	static const struct pair_row row = { .left_is = "UPI data sent",
	    .right_is = "received", .unit = "GB", .why = "no link loses any",
	    .least = 0.98, .most = 1.02 };
	struct pair p = { .row = &row, .name = "upi", .says = PAIR_DIFFERS,
	    .left = 5, .right = 0, .beyond = 3, .of = 7 };
	char buf[400];

	(void)state;
	assert_non_null(strstr(pair_words(&p, buf, sizeof buf),
	    "upi: UPI data sent: 5 GB; "
	    "received: 0 GB in 3 of 7 intervals: differs: the first alone, right"));
	p.right = 4;
	assert_non_null(strstr(pair_words(&p, buf, sizeof buf),
	    "received: 4 GB in 3 of 7 "
	    "intervals: differs by +25 %: 125 %, right"));
}

static void
a_mistake_in_a_text_of_pairs_is_named_with_its_place(void **state)
{
	static const struct {
		int line;
		const char *text, *words;
	} t[] = {
		{ __LINE__, "rule x", ":1:1: `pair`, `bound` or `peers` expected" },
		{ __LINE__, "pair \"x\"", ":1:6: a name expected" },
		{ __LINE__, "pair x here", ":1:8: a scope expected (lproc" },
		{ __LINE__, "pair x node", "the unit, in quotes, expected" },
		{ __LINE__, "pair x node \"\" from", "a number expected" },
		{ __LINE__, "pair x node \"\" by 2", "a scope expected" },
		{ __LINE__, "pair x node \"\" parts 0",
		    ":1:22: a number from 1 to 255 expected" },
		{ __LINE__, "pair x node \"\" never", "what it is, in quotes" },
		{ __LINE__, "pair x node \"\" \"a\" tsc", "'=' expected" },
		{ __LINE__, "pair x node \"\" \"a\" = tsc why \"b\"",
		    "what it is, in quotes, expected" },
		{ __LINE__, "peers x box \"\" \"a\" = tsc", "`why` expected" },
		{ __LINE__, "peers x box \"\" \"a\" = (tsc why \"b\"",
		    "')' expected" },
		{ __LINE__, "peers x box \"\" \"a\" = tsc why \"b\" 1",
		    "the end of the statement expected" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		const char *path = test_put("x.pairs", t[i].text);
		struct pair_rows rows;
		struct diag why;

		assert_true(pair_rows_load(&rows, path, &why) < 0);
		if (strstr(why.text, t[i].words) == NULL)
			fail_msg("line %d: %s", t[i].line, why.text);
		pair_rows_fini(&rows);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_counters_of_a_simulated_machine_agree),
		cmocka_unit_test(the_recording_has_no_pair_that_differs),
		cmocka_unit_test(
		    each_pair_is_a_row_with_its_values_and_its_bound),
		cmocka_unit_test(who_does_not_ask_is_not_told_what_agrees),
		cmocka_unit_test(sockets_of_grace_see_what_the_guide_tells_its_readers_to_expect),
		cmocka_unit_test(one_of_a_pair_that_is_off_is_found_and_named),
		cmocka_unit_test(a_rate_of_the_tsc_that_no_clock_has_is_found),
		cmocka_unit_test(
		    what_comes_right_again_in_the_next_interval_agrees),
		cmocka_unit_test(what_cannot_be_compared_says_why),
		cmocka_unit_test(too_few_intervals_are_not_compared),
		cmocka_unit_test(who_is_at_the_other_end_of_a_link),
		cmocka_unit_test(counters_of_other_rings_are_not_compared),
		cmocka_unit_test(counters_that_were_stopped_are_not_compared),
		cmocka_unit_test(
		    granite_rapids_memory_clock_may_be_a_quarter_of_the_transfer_rate),
		cmocka_unit_test(
		    a_mistake_in_a_text_of_pairs_is_named_with_its_place),
		cmocka_unit_test(
		    a_pair_with_nothing_at_its_right_differs_without_a_share),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
