/*
 * daemon/node/filter.c - the system calls that are left once sampling begins.
 */
#include "daemon/node/rights.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#define RESULT(uc) ((uc)->uc_mcontext.gregs[REG_RAX])
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#define RESULT(uc) ((uc)->uc_mcontext.regs[0])
#endif

static volatile sig_atomic_t refused, last_call;

unsigned
filter_refused(int *call)
{
	*call = last_call;
	return (unsigned)refused;
}

#if defined(ARCH) && !defined(NO_FILTER)
/* The hook of sanitizers for functions that do not return. */
#ifdef __SANITIZE_ADDRESS__
#define SANITIZER SYS_sigaltstack,
#else
#define SANITIZER
#endif

/* Reading, sleeping, moving between CPUs; memory, files and a child for the
 * dump; the log.  First what each sample takes: before Linux 5.11, which knows which calls
 * are always allowed, the list is gone through at each call. */
static const int sample[] = {
	SYS_pread64, SYS_futex, SYS_pwrite64, SYS_ppoll, SYS_sched_setaffinity,
	SYS_getrusage, SYS_clock_gettime, SYS_read, SYS_write, SYS_writev, SYS_close,
	SYS_clock_nanosleep, SYS_gettimeofday, SYS_sched_getaffinity, SYS_sched_setscheduler,
	SYS_sched_yield, SYS_setpriority, SYS_getcpu,
	SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise, SYS_brk,
	SYS_munlock, SYS_munlockall, SYS_getrandom,
	SYS_openat, SYS_fstat, SYS_newfstatat, SYS_lseek, SYS_ftruncate,
	SYS_fallocate, SYS_fsync, SYS_fdatasync, SYS_fchmod, SYS_fchown,
	SYS_fcntl, SYS_flock, SYS_dup3, SYS_unlinkat, SYS_renameat2,
	SYS_linkat, SYS_readlinkat, SYS_statfs, SYS_fstatfs, SYS_umask,
	SYS_sendto, SYS_sendmsg, SYS_recvfrom, SYS_recvmsg, SYS_socket,
	SYS_connect, SYS_accept4, SYS_clone, SYS_wait4, SYS_set_robust_list, SYS_getpid,
	SYS_prlimit64, SYS_gettid, SYS_geteuid, SYS_getuid, SYS_tgkill, SYS_rt_sigaction,
	SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_restart_syscall,
	SYS_exit, SYS_exit_group, SANITIZER
#ifdef SYS_renameat
	SYS_renameat,
#endif
#ifdef SYS_rseq
	SYS_rseq,
#endif
#ifdef __x86_64__
	SYS_open, SYS_stat, SYS_lstat, SYS_unlink, SYS_rename, SYS_readlink,
	SYS_fork, SYS_dup2, SYS_poll, SYS_time,
#endif
};

static const int batch[] = { SYS_ioctl };

static const int perf[] = { SYS_ioctl, SYS_perf_event_open };

/* The writer's: its socket, the registers, and the journal that it empties and removes. */
static const int writer[] = {
	SYS_recvfrom, SYS_sendto, SYS_pread64, SYS_pwrite64, SYS_write,
	SYS_close, SYS_fstat, SYS_newfstatat, SYS_ftruncate, SYS_fsync,
	SYS_unlinkat, SYS_brk, SYS_mmap, SYS_munmap, SYS_mremap, SYS_futex,
	SYS_clock_gettime, SYS_rt_sigreturn, SYS_rt_sigprocmask,
	SYS_sched_setaffinity, SYS_getcpu, SYS_exit, SYS_exit_group, SANITIZER
#ifdef __x86_64__
	SYS_lstat, SYS_unlink,
#endif
};

/* Calls that are refused to --pipe's programs, and no others: a program that packs a dump
 * has no use for other processes, mounts, the kernel or clocks. */
static const int program[] = {
	SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp,
	SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare,
	SYS_setns, SYS_init_module, SYS_finit_module, SYS_delete_module,
	SYS_kexec_load, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_bpf,
	SYS_perf_event_open, SYS_open_by_handle_at, SYS_userfaultfd,
	SYS_add_key, SYS_request_key, SYS_keyctl, SYS_settimeofday,
	SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime, SYS_sethostname,
	SYS_setdomainname, SYS_syslog, SYS_acct, SYS_quotactl,
#ifdef SYS_kexec_file_load
	SYS_kexec_file_load,
#endif
#ifdef SYS_pidfd_getfd
	SYS_pidfd_getfd,
#endif
#ifdef SYS_mount_setattr
	SYS_move_mount, SYS_open_tree, SYS_fsopen, SYS_mount_setattr,
#endif
#ifdef SYS_io_uring_setup
	SYS_io_uring_setup,
#endif
#ifdef __x86_64__
	SYS_iopl, SYS_ioperm, SYS_modify_ldt,
#endif
};

/* si_code of a refused call, which not every libc has */
#ifndef SYS_SECCOMP
#define SYS_SECCOMP 1
#endif

#define N(list) (sizeof(list) / sizeof((list)[0]))

static const struct { unsigned use; const int *call; unsigned n; } lists[] = {
	{ FILTER_SAMPLE, sample, N(sample) }, { FILTER_BATCH, batch, N(batch) },
	{ FILTER_PERF, perf, N(perf) }, { FILTER_WRITE, writer, N(writer) },
};

static void
on_refusal(int sig, siginfo_t *info, void *context)
{
	char text[] = "tallyd: system call     0 is not among those that "
	    "sampling needs, and was refused\n";
	char *digit = strchr(text, '0');

	(void)sig;
	/* sent by kill(2): no call was refused, so no result is to be set */
	if (info->si_code != SYS_SECCOMP)
		return;
	for (int n = info->si_syscall; n > 0; n /= 10)
		*digit-- = (char)('0' + n % 10);
	last_call = info->si_syscall;
	refused++;
	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		last_call = info->si_syscall;   /* counted all the same */
	RESULT((ucontext_t *)context) = -EPERM;
}

static int
filter_load(struct sock_filter *code, unsigned n)
{
	struct sock_fprog prog = { (unsigned short)n, code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return errno == EINVAL ? -ENOSYS : -errno;
	/* for all threads; before Linux 3.17 for one */
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
	    SECCOMP_FILTER_FLAG_TSYNC, &prog) == 0)
		return 0;
	if (errno != ENOSYS ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog) < 0)
		return errno == EINVAL ? -ENOSYS : -errno;
	return 0;
}

/* Allows a call; socket(2) for AF_UNIX alone (syslog). */
static unsigned
allow(struct sock_filter *code, int call)
{
	const struct sock_filter is_call = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
	    (uint32_t)call, 0, call == SYS_socket ? 4 : 1);
	const struct sock_filter yes = BPF_STMT(BPF_RET | BPF_K,
	    SECCOMP_RET_ALLOW);
	unsigned n = 0;

	code[n++] = is_call;
	if (call == SYS_socket) {
		/* the low half of the first argument: both are little-endian */
		code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W |
		    BPF_ABS, offsetof(struct seccomp_data, args));
		code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ |
		    BPF_K, AF_UNIX, 1, 0);
		code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
		    SECCOMP_RET_TRAP);
	}
	code[n++] = yes;
	return n;
}

/* A refused call raises SIGSYS, whose handler says which call it was. */
static int
hear_refusals(void)
{
	struct sigaction sa = { .sa_flags = SA_SIGINFO | SA_NODEFER };
	sigset_t sys;

	sa.sa_sigaction = on_refusal;
	sigfillset(&sa.sa_mask);
	/* the kernel kills a process that blocks SIGSYS */
	sigemptyset(&sys);
	sigaddset(&sys, SIGSYS);
	if (sigaction(SIGSYS, &sa, NULL) < 0 ||
	    sigprocmask(SIG_UNBLOCK, &sys, NULL) < 0)
		return -errno;
	return 0;
}

#define PUT(...) code[n++] = (struct sock_filter)__VA_ARGS__

/* Puts the check of the architecture in front; returns how many instructions. */
static unsigned
filter_begin(struct sock_filter *code)
{
	unsigned n = 0;

	PUT(BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
	    offsetof(struct seccomp_data, arch)));
	PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0));
	PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
	PUT(BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
	    offsetof(struct seccomp_data, nr)));
	return n;
}

/* For programs that are not ours: a refused call fails with an error. */
static int
install_for_program(void)
{
	const struct sock_filter no = BPF_STMT(BPF_RET | BPF_K,
	    SECCOMP_RET_ERRNO | EPERM);
	struct sock_filter code[256];
	unsigned n = filter_begin(code);

	/* numbers of the x32 ABI, which are the same calls */
	PUT(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1));
	code[n++] = no;
	for (size_t i = 0; i < N(program); i++) {
		PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)program[i],
		    0, 1));
		code[n++] = no;
	}
	PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
	return filter_load(code, n);
}

int
filter_install(unsigned use)
{
	struct sock_filter code[256];
	unsigned n;
	int rc;

	if (use == FILTER_PROGRAM)
		return install_for_program();
	if ((rc = hear_refusals()) < 0)
		return rc;
	n = filter_begin(code);
	for (size_t i = 0; i < N(lists); i++)
		for (unsigned k = 0; (use & lists[i].use) != 0 &&
		    k < lists[i].n; k++)
			n += allow(code + n, lists[i].call[k]);
	PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP));
	return filter_load(code, n);
}
#undef PUT
#else
int
filter_install(unsigned use)
{
	(void)use;
	return -ENOSYS;
}
#endif
