/*
 * config/dump/head_rows.h - all keys of a dump's head.  A new key needs a row
 * here and code that writes it; tallyd-dump(5) has to list the same keys
 * (tests/config/test_head.c).
 *
 *   ROW(key, name, shape, type, unit, meaning)
 *
 * It is included several times, with different definitions of ROW: no guard.
 */

/* The run */
ROW(HEAD_TALLYD_FORMAT, "tallyd_format", HEAD_ALONE, HEAD_INT, "",
    "the format of the dump: 1")
ROW(HEAD_TALLYD_VERSION, "tallyd_version", HEAD_ALONE, HEAD_TEXT, "",
    "of the daemon")
ROW(HEAD_HOST, "host", HEAD_ALONE, HEAD_TEXT, "", "name of the node")
ROW(HEAD_CPU, "cpu", HEAD_ALONE, HEAD_TEXT, "", "the CPU's own name")
ROW(HEAD_MODEL, "model", HEAD_ALONE, HEAD_TEXT, "",
    "the tables that the counters were found by: skx, icx, grace")
ROW(HEAD_ACCESS, "access", HEAD_ALONE, HEAD_TEXT, "",
    "how registers were reached: linux, perf, hybrid, sim")
ROW(HEAD_TEXT_NAME, "text_name", HEAD_BY_NUMBER, HEAD_TEXT, "",
    "files that say what is counted; @NAME: built in (tallyd --print)")
ROW(HEAD_TEXT_SHA256, "text_sha256", HEAD_BY_NUMBER, HEAD_TEXT, "",
    "the SHA-256 of each, as sha256sum(1) has it")
ROW(HEAD_TEXT_ORIGIN, "text_origin", HEAD_BY_NUMBER, HEAD_TEXT, "",
    "where it was: file, or built-in")
ROW(HEAD_INTERVAL, "interval", HEAD_ALONE, HEAD_REAL, "s",
    "between samples, as asked for")
ROW(HEAD_READ_MODE, "read_mode", HEAD_ALONE, HEAD_TEXT, "",
    "how the registers of other lprocs were read")
ROW(HEAD_READ_US, "read_us", HEAD_BY_MODE, HEAD_REAL, "us",
    "what a sample took in each way to read, when that was tried at start")
ROW(HEAD_READ_CPU_US, "read_cpu_us", HEAD_BY_MODE, HEAD_REAL, "us",
    "and the CPU time of all threads")
ROW(HEAD_READ_SWITCHES, "read_switches", HEAD_BY_MODE, HEAD_REAL, "",
    "and context switches of the node, beyond what it had by itself")
ROW(HEAD_READ_INTERRUPTS, "read_interrupts", HEAD_BY_MODE, HEAD_REAL, "",
    "and interrupts that one lproc sent another, likewise")
ROW(HEAD_SCHEDULING, "scheduling", HEAD_ALONE, HEAD_TEXT, "",
    "class and priority of the sampling thread")

/* Segments of a long run */
ROW(HEAD_SEGMENT, "segment", HEAD_ALONE, HEAD_INT, "",
    "number of it in its run, from 1; its last sample is the next one's first")
ROW(HEAD_SEGMENT_OF, "segment_of", HEAD_ALONE, HEAD_TEXT, "",
    "the run: one start of the daemon")
ROW(HEAD_SEGMENT_SAMPLE, "segment_sample", HEAD_ALONE, HEAD_INT, "",
    "what number its sample 0 has in the run")
ROW(HEAD_SEGMENT_BOOT, "segment_boot", HEAD_ALONE, HEAD_TEXT, "",
    "the kernel's boot id: counters went on where it is the same")
ROW(HEAD_SEGMENT_RELOAD, "segment_reload", HEAD_ALONE, HEAD_INT, "",
    "1: the configuration was read again, and its first sample is its own")

/* The system at the start of the run */
ROW(HEAD_KERNEL, "kernel", HEAD_ALONE, HEAD_TEXT, "", "release of the kernel")
ROW(HEAD_KERNEL_BUILD, "kernel_build", HEAD_ALONE, HEAD_TEXT, "",
    "its number, options and date")
ROW(HEAD_KERNEL_COMMAND_LINE, "kernel_command_line", HEAD_ALONE, HEAD_TEXT, "",
    "what it was booted with")
ROW(HEAD_MICROCODE, "microcode", HEAD_BY_PACKAGE, HEAD_HEX, "",
    "revision of the microcode")
ROW(HEAD_CPUFREQ_DRIVER, "cpufreq_driver", HEAD_ALONE, HEAD_TEXT, "",
    "the kernel's driver of core clocks")
ROW(HEAD_CPUFREQ_GOVERNOR, "cpufreq_governor", HEAD_ALONE, HEAD_TEXT, "",
    "who chooses them; several where lprocs differ")
ROW(HEAD_SMT, "smt", HEAD_ALONE, HEAD_TEXT, "",
    "threads of a core: on, off, forceoff, notsupported, notimplemented")
ROW(HEAD_NMI_WATCHDOG, "nmi_watchdog", HEAD_ALONE, HEAD_INT, "",
    "1: it is on, and may hold a counter of each core")
ROW(HEAD_PERF_EVENT_PARANOID, "perf_event_paranoid", HEAD_ALONE, HEAD_INT, "",
    "how much the kernel keeps from others than root")
ROW(HEAD_PMU_HOLDER, "pmu_holder", HEAD_BY_NUMBER, HEAD_TEXT, "",
    "another process that had counters open")
ROW(HEAD_PMU_HOLDER_PID, "pmu_holder_pid", HEAD_BY_NUMBER, HEAD_INT, "",
    "its pid")
ROW(HEAD_PMU_HOLDER_OPEN, "pmu_holder_open", HEAD_BY_NUMBER, HEAD_TEXT, "",
    "what it had open: perf_event, msr")
ROW(HEAD_COUNTERS_TAKEN, "counters_taken", HEAD_ALONE, HEAD_INT, "",
    "counters that others had programmed and the daemon took (--force)")
ROW(HEAD_COUNTERS_TAKEN_FIRST, "counters_taken_first", HEAD_ALONE, HEAD_TEXT,
    "", "the first of them, and what its control held")
ROW(HEAD_MSR_ALLOW_WRITES, "msr_allow_writes", HEAD_ALONE, HEAD_TEXT, "",
    "writes that the msr driver takes: on, off, default")
ROW(HEAD_KERNEL_TAINTED, "kernel_tainted", HEAD_ALONE, HEAD_INT, "",
    "/proc/sys/kernel/tainted before the first register was written")
ROW(HEAD_KERNEL_TAINTED_AFTER, "kernel_tainted_after", HEAD_ALONE, HEAD_INT,
    "", "the same after the last sample of the dump")
ROW(HEAD_LOCKDOWN, "lockdown", HEAD_ALONE, HEAD_TEXT, "",
    "what the kernel is locked down to: none, integrity, confidentiality")
ROW(HEAD_CLOCK_SOURCE, "clock_source", HEAD_ALONE, HEAD_TEXT, "",
    "what the kernel takes its time from")
ROW(HEAD_NTP_STATE, "ntp_state", HEAD_ALONE, HEAD_TEXT, "",
    "of the wall clock: synchronised, not synchronised, leap second ...")
ROW(HEAD_NTP_ERROR, "ntp_error", HEAD_ALONE, HEAD_REAL, "s",
    "how wrong it may be, as NTP estimates")
ROW(HEAD_NTP_MAX_ERROR, "ntp_max_error", HEAD_ALONE, HEAD_REAL, "s",
    "how wrong it may be at most")

/* Hardware */
ROW(HEAD_DRAM_MAX_BANDWIDTH, "dram_max_bandwidth", HEAD_ALONE, HEAD_INT,
    "bytes/s", "the most that DRAM did when all NUMA nodes were measured")
ROW(HEAD_DRAM_MAX_BANDWIDTH_NODE, "dram_max_bandwidth_node", HEAD_BY_NODE,
    HEAD_INT, "bytes/s", "the same of one NUMA node")
ROW(HEAD_PEAK_DRAM, "peak_dram", HEAD_ALONE, HEAD_REAL, "bytes/s",
    "the most that DRAM can do, as the configuration says")
ROW(HEAD_PEAK_DRAM_SOURCE, "peak_dram_source", HEAD_ALONE, HEAD_TEXT, "",
    "and on what that rests")
ROW(HEAD_PEAK_FLOPS, "peak_flops", HEAD_ALONE, HEAD_REAL, "FLOP/s",
    "the most that the cores can do, as the configuration says")
ROW(HEAD_PEAK_FLOPS_SOURCE, "peak_flops_source", HEAD_ALONE, HEAD_TEXT, "",
    "and on what that rests")
ROW(HEAD_TSC_RATIO, "TSC_ratio", HEAD_ALONE, HEAD_INT, "",
    "TSC counts by bus clock: times 100 MHz, where the bus clock is that")
ROW(HEAD_TSC_HZ_MEASURED, "tsc_hz_measured", HEAD_ALONE, HEAD_INT, "Hz",
    "the TSC, measured at start where the bus clock differs from part to part")
ROW(HEAD_TSC_HZ_NOMINAL, "tsc_hz_nominal", HEAD_ALONE, HEAD_INT, "Hz",
    "the TSC, as the registers say it should run")
ROW(HEAD_PROCHOT, "PROCHOT", HEAD_ALONE, HEAD_INT, "C",
    "the temperature that thermal control acts at")
ROW(HEAD_RAPL_POWER_UNIT, "RAPL_POWER_UNIT", HEAD_ALONE, HEAD_REAL, "W",
    "unit of power")
ROW(HEAD_RAPL_PKG_ENERGY_UNIT, "RAPL_PKG_ENERGY_UNIT", HEAD_ALONE, HEAD_REAL,
    "J", "unit of rapl_pkg_energy")
ROW(HEAD_RAPL_DRAM_ENERGY_UNIT, "RAPL_DRAM_ENERGY_UNIT", HEAD_ALONE, HEAD_REAL,
    "J", "unit of rapl_dram_energy")
ROW(HEAD_RAPL_TIME_UNIT, "RAPL_TIME_UNIT", HEAD_ALONE, HEAD_REAL, "s",
    "unit of rapl_pkg_throttled")
ROW(HEAD_RAPL_PKG_ENERGY_UNIT_LOG2, "rapl_pkg_energy_unit_log2", HEAD_ALONE,
    HEAD_INT, "", "n, where RAPL_PKG_ENERGY_UNIT is 2^-n")
ROW(HEAD_RAPL_DRAM_ENERGY_UNIT_LOG2, "rapl_dram_energy_unit_log2", HEAD_ALONE,
    HEAD_INT, "", "the same of RAPL_DRAM_ENERGY_UNIT")
ROW(HEAD_RAPL_TIME_UNIT_LOG2, "rapl_time_unit_log2", HEAD_ALONE, HEAD_INT, "",
    "the same of RAPL_TIME_UNIT")
ROW(HEAD_PACKAGE_TDP, "PACKAGE_TDP", HEAD_ALONE, HEAD_REAL, "W",
    "thermal design power of a package")
ROW(HEAD_DRAM_BASE_HZ, "dram_base_hz", HEAD_ALONE, HEAD_INT, "Hz",
    "the DRAM command clock of a C2000, if the configuration gives it")
ROW(HEAD_REFERENCE_TSC, "Reference_TSC", HEAD_ALONE, HEAD_INT, "",
    "the TSC when the daemon started")
ROW(HEAD_REFERENCE_WALLTIME, "Reference_WallTime", HEAD_ALONE, HEAD_REAL, "s",
    "the wall clock at the same moment, since 1970")

/* Topology */
ROW(HEAD_NR_CPUS, "nr_cpus", HEAD_ALONE, HEAD_INT, "",
    "lprocs, online or not: the highest number and 1")
ROW(HEAD_LPROCS_ONLINE, "lprocs_online", HEAD_ALONE, HEAD_INT, "",
    "lprocs that were online at start")
ROW(HEAD_PACKAGES, "packages", HEAD_ALONE, HEAD_INT, "",
    "how many; on Grace a package is a NUMA node with CPUs")
ROW(HEAD_PACKAGE_ID, "package_id", HEAD_BY_PACKAGE, HEAD_INT, "",
    "the kernel's number of it; packages are in the order of these")
ROW(HEAD_PACKAGE_NODE, "package_node", HEAD_BY_PACKAGE, HEAD_INT, "",
    "NUMA node of its first lproc")
ROW(HEAD_LPROC_PACKAGE, "lproc_package", HEAD_BY_LPROC, HEAD_INT, "",
    "package that it is in; -1: it is offline")
ROW(HEAD_LPROC_DIE, "lproc_die", HEAD_BY_LPROC, HEAD_INT, "",
    "die of the package")
ROW(HEAD_LPROC_CORE, "lproc_core", HEAD_BY_LPROC, HEAD_INT, "",
    "core of the package, as the kernel numbers them")
ROW(HEAD_LPROC_THREAD, "lproc_thread", HEAD_BY_LPROC, HEAD_INT, "",
    "thread of the core, from 0")
ROW(HEAD_LPROC_NODE, "lproc_node", HEAD_BY_LPROC, HEAD_INT, "",
    "NUMA node; a part of a package with sub-NUMA clustering")
ROW(HEAD_LPROC_ONLINE, "lproc_online", HEAD_BY_LPROC, HEAD_INT, "",
    "1: it was online at start")
ROW(HEAD_LPROC_MODULE, "lproc_module", HEAD_BY_LPROC, HEAD_INT, "",
    "the lowest lproc that shares its L2")
ROW(HEAD_LPROC_L3, "lproc_l3", HEAD_BY_LPROC, HEAD_INT, "",
    "the L3 that it shares, numbered by package, then by first lproc")
ROW(HEAD_LPROC_CCX, "lproc_ccx", HEAD_BY_LPROC, HEAD_INT, "",
    "AMD: core complex (CCX), those that share an L3, by its number in the "
    "package")
ROW(HEAD_LPROC_CCD, "lproc_ccd", HEAD_BY_LPROC, HEAD_INT, "",
    "AMD: die of cores (CCD), by its number in the package")

/* Boxes and I/O */
ROW(HEAD_UNIT_PRESENT, "unit_present", HEAD_BY_BOX, HEAD_INT, "",
    "1: the box is there")
ROW(HEAD_UNIT_LPROC, "unit_lproc", HEAD_BY_BOX, HEAD_INT, "",
    "the lproc whose visit a core complex's box is read in: lproc_tsc")
ROW(HEAD_UNIT_ABSENT, "unit_absent", HEAD_BY_BOX, HEAD_TEXT, "",
    "why the box is not there")
ROW(HEAD_DISCOVERY_FUNCTION, "discovery_function", HEAD_BY_NUMBER, HEAD_TEXT,
    "", "the PCI functions that lead to discovery tables")
ROW(HEAD_DISCOVERY_PACKAGE, "discovery_package", HEAD_BY_NUMBER, HEAD_INT, "",
    "whose boxes it lists; -1: not known")
ROW(HEAD_DISCOVERY_ADDRESS, "discovery_address", HEAD_BY_NUMBER, HEAD_HEX, "",
    "where the table is in memory; 0: it could not be found")
ROW(HEAD_DISCOVERY_WORDS, "discovery_words", HEAD_BY_NUMBER, HEAD_TEXT, "",
    "number of a table, where in it, and the three words of an entry")
ROW(HEAD_HBM_MODE, "hbm_mode", HEAD_ALONE, HEAD_TEXT, "",
    "how HBM is used: flat, cache, only; unknown")
ROW(HEAD_HBM_CACHE, "hbm_cache", HEAD_ALONE, HEAD_INT, "",
    "1: it is in front of DDR, 0: it is not")
ROW(HEAD_IO_STACK_NAME, "io_stack_name", HEAD_BY_STACK, HEAD_TEXT, "",
    "what the I/O stack is called")
ROW(HEAD_IO_STACK_BUS, "io_stack_bus", HEAD_BY_STACK, HEAD_TEXT, "",
    "its root bus, segment:bus")
ROW(HEAD_IO_DEVICES, "io_devices", HEAD_ALONE, HEAD_INT, "",
    "PCI devices that are no bridges; of each, what is known:")
ROW(HEAD_IO_DEVICE_ADDRESS, "io_device_address", HEAD_BY_DEVICE, HEAD_TEXT, "",
    "segment:bus:device.function")
ROW(HEAD_IO_DEVICE_NAME, "io_device_name", HEAD_BY_DEVICE, HEAD_TEXT, "",
    "by pci.ids, else its number and driver")
ROW(HEAD_IO_DEVICE_ID, "io_device_id", HEAD_BY_DEVICE, HEAD_TEXT, "",
    "vendor:device")
ROW(HEAD_IO_DEVICE_DRIVER, "io_device_driver", HEAD_BY_DEVICE, HEAD_TEXT, "",
    "the kernel's driver that has it")
ROW(HEAD_IO_DEVICE_CLASS, "io_device_class", HEAD_BY_DEVICE, HEAD_INT, "",
    "its PCI class, three bytes")
ROW(HEAD_IO_DEVICE_PORT, "io_device_port", HEAD_BY_DEVICE, HEAD_TEXT, "",
    "address of the root port above it")
ROW(HEAD_IO_DEVICE_PACKAGE, "io_device_package", HEAD_BY_DEVICE, HEAD_INT, "",
    "package whose stack, or whose root port, it is on")
ROW(HEAD_IO_DEVICE_STACK, "io_device_stack", HEAD_BY_DEVICE, HEAD_INT, "",
    "that stack")
ROW(HEAD_IO_DEVICE_PART, "io_device_part", HEAD_BY_DEVICE, HEAD_INT, "",
    "part of the stack that counts its traffic; on Grace its root port")
ROW(HEAD_IO_DEVICE_NODE, "io_device_node", HEAD_BY_DEVICE, HEAD_INT, "",
    "NUMA node")
ROW(HEAD_IO_DEVICE_LINK_WIDTH, "io_device_link_width", HEAD_BY_DEVICE, HEAD_INT,
    "lanes", "of its link, at start")
ROW(HEAD_IO_DEVICE_LINK_SPEED, "io_device_link_speed", HEAD_BY_DEVICE,
    HEAD_REAL, "GT/s", "of a lane, at start")
ROW(HEAD_IO_DEVICE_MAX_LINK_WIDTH, "io_device_max_link_width", HEAD_BY_DEVICE,
    HEAD_INT, "lanes", "that it could have")
ROW(HEAD_IO_DEVICE_MAX_LINK_SPEED, "io_device_max_link_speed", HEAD_BY_DEVICE,
    HEAD_REAL, "GT/s", "that a lane could have")
ROW(HEAD_IO_DEVICE_MISSING, "io_device_missing", HEAD_BY_DEVICE, HEAD_TEXT, "",
    "attributes of the link that the kernel has no number for")

/* What is counted */
ROW(HEAD_FAMILY_BITS, "family_bits", HEAD_BY_FAMILY, HEAD_INT, "bits",
    "width of the counters; 0: readings")
ROW(HEAD_FAMILY_UNIT, "family_unit", HEAD_BY_FAMILY, HEAD_TEXT, "",
    "what one count of its values is, as they are printed")
ROW(HEAD_FAMILY_VALUE, "family_value", HEAD_BY_FAMILY, HEAD_TEXT, "",
    "what those are: raw, or made of what was read")
ROW(HEAD_FAMILY_MUL, "family_mul", HEAD_BY_FAMILY, HEAD_INT, "",
    "what they are multiplied by already: a raw count is so many; else 1")
ROW(HEAD_FAMILY_SCALE, "family_scale", HEAD_BY_FAMILY, HEAD_REAL, "",
    "how much of family_unit one count is, where that is not 1: of files")
ROW(HEAD_FAMILY_EVERY, "family_every", HEAD_BY_FAMILY, HEAD_INT, "samples",
    "from one reading to the next, where that is not 1; absent between")
ROW(HEAD_EVENT_EVERY, "event_every", HEAD_BY_EVENT, HEAD_INT, "samples",
    "the same of one event, and of its stamp: read_tsc[event]")
ROW(HEAD_FAMILY_STAMP, "family_stamp", HEAD_BY_FAMILY, HEAD_TEXT, "",
    "the clock read with its package's registers, if not pkg_tsc; a file's: read_tsc")
ROW(HEAD_RAW_READ, "raw_read", HEAD_BY_FAMILY, HEAD_TEXT, "",
    "the family is of the user's own register or file, by this statement")
ROW(HEAD_READ_FAILED, "read_failed", HEAD_BY_NUMBER, HEAD_TEXT, "",
    "a file that held no number: column, first such sample, and why")
ROW(HEAD_COUNTER_STOPPED, "counter_stopped", HEAD_BY_NUMBER, HEAD_TEXT, "",
    "a counter that had stopped at its end: column, and the first such sample")
ROW(HEAD_RAW_FUNCTION, "raw_function", HEAD_BY_BOX, HEAD_TEXT, "",
    "the PCI function whose register it is")
ROW(HEAD_NOT_SAMPLED, "not_sampled", HEAD_BY_NUMBER, HEAD_TEXT, "",
    "what was asked for and is not here, and why")
ROW(HEAD_IA32_FIXED_CTR_CTRL, "IA32_FIXED_CTR_CTRL", HEAD_BY_LPROC, HEAD_HEX,
    "", "the control register of the fixed counters")
ROW(HEAD_CONTROL, "*_control", HEAD_BY_COLUMN, HEAD_HEX8, "",
    "the control value of a counter, under the indices of its column")
ROW(HEAD_EVENT_GROUP, "event_group", HEAD_BY_EVENT, HEAD_TEXT, "",
    "group that the kernel counts the event in")
ROW(HEAD_EVENT_UNIT, "event_unit", HEAD_BY_EVENT, HEAD_TEXT, "",
    "what the kernel says that the event counts, scaled")
ROW(HEAD_EVENT_SCALE, "event_scale", HEAD_BY_EVENT, HEAD_REAL, "",
    "how much of that one count is")
ROW(HEAD_EVENT_CLASS, "event_class", HEAD_BY_EVENT, HEAD_TEXT, "",
    "what bounds how fast it counts, where that is not as its family")
ROW(HEAD_PCIE_ROOT_PORTS, "pcie_root_ports", HEAD_BY_PACKAGE, HEAD_INT, "",
    "Grace: how many are counted; 0: not the same for all events")
ROW(HEAD_SET_NAME, "set_name", HEAD_BY_NUMBER, HEAD_TEXT, "",
    "event sets that take turns on the counters")
ROW(HEAD_TURNS, "turns", HEAD_ALONE, HEAD_INT, "",
    "that event sets have from one sample to the next, all together; none: one")
ROW(HEAD_TURN_US, "turn_us", HEAD_ALONE, HEAD_REAL, "us",
    "that one of these takes of an lproc, as measured at start")
ROW(HEAD_TURN_SEED, "turn_seed", HEAD_ALONE, HEAD_INT, "",
    "what the order of these turns follows from")
ROW(HEAD_TURN_LOST, "turn_lost", HEAD_BY_NUMBER, HEAD_TEXT, "",
    "turns that are in no count: set, sample, how many, and why")
ROW(HEAD_EVENT_SET, "event_set", HEAD_BY_EVENT, HEAD_TEXT, "",
    "event set that it is counted in; none: always")

/* SoC counters of a C2000 */
ROW(HEAD_SOC_MUX_SOURCE, "soc_mux_source", HEAD_ALONE, HEAD_TEXT, "",
    "who has routed events to the counters: site, simulation, preprogrammed")
ROW(HEAD_SOC_SITE_FILE, "soc_site_file", HEAD_ALONE, HEAD_TEXT, "",
    "the file of the site's values")
ROW(HEAD_SOC_SITE_SOURCE, "soc_site_source", HEAD_ALONE, HEAD_TEXT, "",
    "where that file says they are from")
ROW(HEAD_SOC_COUNTER_PORT, "soc_counter_port", HEAD_ALONE, HEAD_INT, "",
    "port of the counters on the message bus")
ROW(HEAD_SOC_MUX_PORT, "soc_mux_port", HEAD_ALONE, HEAD_INT, "",
    "port of the muxes")
ROW(HEAD_SOC_MAX_INTERVAL, "soc_max_interval", HEAD_ALONE, HEAD_REAL, "s",
    "in more than this a counter could wrap twice")
ROW(HEAD_SET_SOC_GROUP, "set_soc_group", HEAD_BY_SET, HEAD_TEXT, "",
    "group of SoC events that an event set counts")
ROW(HEAD_SOC_MUX_CONTROL, "soc_mux_control", HEAD_BY_GROUP, HEAD_TEXT, "",
    "the writes that route its events to the counters, in order")
ROW(HEAD_EVENT_SOC_NOTE, "event_soc_note", HEAD_BY_GROUP, HEAD_TEXT, "",
    "what has to be known of its figures")

/* Results: written anew with every dump of a store */
ROW(HEAD_SAMPLES, "samples", HEAD_ALONE, HEAD_INT, "", "how many there are")
ROW(HEAD_MISSED_DEADLINES, "missed_deadlines", HEAD_ALONE, HEAD_INT, "",
    "samples that were due while another one was taken")
ROW(HEAD_TSC_HZ, "tsc_hz", HEAD_ALONE, HEAD_INT, "Hz",
    "the TSC, measured by the clock over all samples")
ROW(HEAD_NOTES_LOST, "notes_lost", HEAD_ALONE, HEAD_INT, "",
    "marks and others' doings that had no room")
ROW(HEAD_PHASE_MARK, "phase_mark", HEAD_BY_NUMBER, HEAD_INT, "",
    "sample that a phase begins with (SIGUSR2)")
ROW(HEAD_MARK_SAMPLE, "mark_sample", HEAD_BY_NUMBER, HEAD_INT, "",
    "the first sample at or after a mark with a name (tallyd --mark)")
ROW(HEAD_MARK_TIME, "mark_time", HEAD_BY_NUMBER, HEAD_REAL, "s",
    "the wall clock when it was set, since 1970")
ROW(HEAD_MARK_TEXT, "mark_text", HEAD_BY_NUMBER, HEAD_TEXT, "",
    "its words, each KEY or KEY=VALUE")
ROW(HEAD_PAUSE_SAMPLE, "pause_sample", HEAD_BY_NUMBER, HEAD_INT, "",
    "the first sample after a pause (tallyd --pause): no difference to it counts")
ROW(HEAD_PAUSE_TIME, "pause_time", HEAD_BY_NUMBER, HEAD_REAL, "s",
    "when the registers were put back for it, since 1970")
ROW(HEAD_RESUME_TIME, "resume_time", HEAD_BY_NUMBER, HEAD_REAL, "s",
    "when they were programmed again")
ROW(HEAD_INTERVAL_MULTIPLE, "interval_multiple", HEAD_BY_SAMPLE, HEAD_INT, "",
    "from this sample on the interval was so many times as long")
ROW(HEAD_CPU_SECONDS, "cpu_seconds", HEAD_ALONE, HEAD_REAL, "s",
    "CPU time of the daemon, all its threads, up to its end")
ROW(HEAD_CPU_SECONDS_WRITER, "cpu_seconds_writer", HEAD_ALONE, HEAD_REAL, "s",
    "the same of its process that writes registers")
ROW(HEAD_SWITCHES, "switches", HEAD_ALONE, HEAD_INT, "",
    "how often its threads went to sleep by themselves, or to another CPU")
ROW(HEAD_SWITCHES_FORCED, "switches_forced", HEAD_ALONE, HEAD_INT, "",
    "how often another task was put in their place")
ROW(HEAD_LPROC_SWITCHES, "lproc_switches", HEAD_BY_LPROC, HEAD_INT, "",
    "the same of the thread of an lproc, where each has one")
ROW(HEAD_LPROC_SWITCHES_FORCED, "lproc_switches_forced", HEAD_BY_LPROC,
    HEAD_INT, "", "and how often another task was put in its place")
ROW(HEAD_REAL_TIME_UNTIL, "real_time_until", HEAD_ALONE, HEAD_INT, "",
    "sample after which a long one took it out of the real-time class")

/* Control registers that another program changed */
ROW(HEAD_WATCH, "watch", HEAD_ALONE, HEAD_INT, "samples",
    "between two looks at our control registers; 0: nobody looked")
ROW(HEAD_TAMPER_FIRST, "tamper_first", HEAD_BY_NUMBER, HEAD_INT, "",
    "the last sample known good")
ROW(HEAD_TAMPER_SEEN, "tamper_seen", HEAD_BY_NUMBER, HEAD_INT, "",
    "the sample at which it was noticed")
ROW(HEAD_TAMPER_COLUMN, "tamper_column", HEAD_BY_NUMBER, HEAD_COLUMN, "",
    "columns whose names begin so are doubtful from then on")
ROW(HEAD_TAMPER_REGISTER, "tamper_register", HEAD_BY_NUMBER, HEAD_TEXT, "",
    "the register")
ROW(HEAD_TAMPER_OURS, "tamper_ours", HEAD_BY_NUMBER, HEAD_HEX, "",
    "what the daemon had written there")
ROW(HEAD_TAMPER_FOUND, "tamper_found", HEAD_BY_NUMBER, HEAD_HEX, "",
    "what was found there")
ROW(HEAD_TAMPER_REASSERTED, "tamper_reasserted", HEAD_BY_NUMBER, HEAD_INT, "",
    "of dumps of earlier daemons; 1: the daemon wrote its own value again")
