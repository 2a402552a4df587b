/*
 * postproc/live/terminal.c - the terminal as a full screen.
 */
#include "postproc/live/terminal.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* Alternate screen on, cursor off, automatic wrap off; and back.  The alternate screen is
 * cleared before, as tmux may keep its contents in the history. */
#define SCREEN_ON "\033[?1049h\033[?25l\033[?7l"
#define SCREEN_OFF "\033[?7h\033[H\033[J\033[?25h\033[?1049l"

static bool
terminal_put(const char *s, size_t size)
{
	while (size > 0) {
		ssize_t n = write(STDOUT_FILENO, s, size);
		struct pollfd out = { STDOUT_FILENO, POLLOUT, 0 };

		if (n < 0 && errno == EAGAIN)
			poll(&out, 1, 1000);
		else if (n < 0 && errno != EINTR)
			return false;
		if (n > 0) {
			s += n;
			size -= (size_t)n;
		}
	}
	return true;
}

/* No colour if NO_COLOR is set (no-color.org); else if the terminal is known to have
 * it. */
static bool
has_colour(const char *term)
{
	static const char *const known[] = { "color", "xterm", "screen",
	    "tmux", "rxvt", "linux", "konsole", "kitty", "alacritty", "foot",
	    "putty" };
	const char *no = getenv("NO_COLOR");

	if (no != NULL && no[0] != '\0')
		return false;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strstr(term, known[i]) != NULL)
			return true;
	return getenv("COLORTERM") != NULL;
}

static void
set_keys(const struct terminal *t)
{
	struct termios raw = t->was;

	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	if (t->keys)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
}

static void
screen_off(const struct terminal *t)
{
	terminal_put(SCREEN_OFF, strlen(SCREEN_OFF));
	if (t->keys)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &t->was);
}

void
terminal_again(const struct terminal *t)
{
	set_keys(t);
	terminal_put(SCREEN_ON, strlen(SCREEN_ON));
}

static const int taken[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP,
    SIGCONT, SIGWINCH };

int
terminal_open(struct terminal *t, struct diag *why)
{
	const char *term = getenv("TERM");
	sigset_t set;

	*t = (struct terminal){ .signals = -1 };
	if (!isatty(STDOUT_FILENO))
		return diag_set(why, -ENOTTY, "standard output is no terminal: "
		    "--once, -n N or --csv");
	if (term == NULL || term[0] == '\0' || strcmp(term, "dumb") == 0)
		return diag_set(why, -ENOTTY, "TERM=%s has no screen: --once, "
		    "-n N or --csv", term != NULL ? term : "");
	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		sigaddset(&set, taken[i]);
	sigprocmask(SIG_BLOCK, &set, &t->mask);
	t->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (t->signals < 0) {
		int err = errno;

		sigprocmask(SIG_SETMASK, &t->mask, NULL);
		return diag_set(why, -err, "signals: %s", strerror(err));
	}
	t->keys = isatty(STDIN_FILENO) && tcgetattr(STDIN_FILENO, &t->was) == 0;
	t->colour = has_colour(term);
	terminal_again(t);
	return 0;
}

void
terminal_close(struct terminal *t)
{
	if (t->signals < 0)
		return;
	screen_off(t);
	close(t->signals);
	t->signals = -1;
	sigprocmask(SIG_SETMASK, &t->mask, NULL);
}

void
terminal_stop(struct terminal *t)
{
	sigset_t set, had;

	screen_off(t);
	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	raise(SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &set, &had);   /* the process stops here */
	sigprocmask(SIG_SETMASK, &had, NULL);
	terminal_again(t);
}

/* Reads a key: an escape sequence, as "\033[A" or "\033[5~", or a byte. */
static int
read_key(void)
{
	static const struct {
		const char *bytes;
		int key;
	} named[] = { { "[A", KEY_UP }, { "[B", KEY_DOWN }, { "[C", KEY_RIGHT },
	    { "[D", KEY_LEFT }, { "OA", KEY_UP }, { "OB", KEY_DOWN },
	    { "OC", KEY_RIGHT }, { "OD", KEY_LEFT }, { "[5~", KEY_PAGE_UP },
	    { "[6~", KEY_PAGE_DOWN }, { "[H", KEY_HOME }, { "[F", KEY_END },
	    { "[1~", KEY_HOME }, { "[4~", KEY_END } };
	char s[16] = "";
	unsigned n = 0;
	struct pollfd in = { STDIN_FILENO, POLLIN, 0 };

	if (read(STDIN_FILENO, s, 1) != 1)
		return KEY_GONE;
	if (s[0] != '\033')
		return (unsigned char)s[0];
	/* bytes that follow at once belong to the sequence, up to a letter or ~ */
	while (n < sizeof(s) - 1 && poll(&in, 1, 20) > 0 &&
	    read(STDIN_FILENO, s + n, 1) == 1) {
		n++;
		if (n > 1 && (s[n - 1] == '~' || (s[n - 1] >= 'A' &&
		    s[n - 1] <= 'Z')))
			break;
	}
	s[n] = '\0';
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
		if (strcmp(s, named[i].bytes) == 0)
			return named[i].key;
	return KEY_NONE;
}

int
terminal_wait(const struct terminal *t, int ms, int *key)
{
	struct pollfd fd[2] = { { t->signals, POLLIN, 0 },
	    { STDIN_FILENO, POLLIN, 0 } };
	struct signalfd_siginfo got;

	*key = KEY_NONE;
	if (poll(fd, t->keys ? 2 : 1, ms) <= 0)
		return 0;
	if (fd[0].revents != 0 &&
	    read(t->signals, &got, sizeof(got)) == sizeof(got))
		return (int)got.ssi_signo;
	if (fd[1].revents != 0)
		*key = read_key();
	return 0;
}

bool
terminal_show(const char *lines, size_t size)
{
	char *text = NULL;
	size_t n = 0;
	bool good;
	FILE *f = open_memstream(&text, &n);

	if (f == NULL)
		return true;
	fputs("\033[H", f);
	/* clear each line before it is written: after the last column, the cursor is
	 * still
	 * on that column, and clearing would delete its character */
	for (const char *s = lines; s < lines + size; s++) {
		if (s == lines || s[-1] == '\n')
			fputs("\033[K", f);
		if (*s != '\n')
			putc(*s, f);
		else if (s + 1 < lines + size)
			fputs("\r\n", f);
	}
	if (size == 0 || memchr(lines, '\n', size - 1) == NULL)
		fputs("\r\n\033[J", f);
	good = fclose(f) == 0 && text != NULL;
	good = !good || terminal_put(text, n);
	free(text);
	return good;
}

bool
terminal_size(unsigned *width, unsigned *height)
{
	struct winsize ws;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) < 0 || ws.ws_col == 0 ||
	    ws.ws_row == 0)
		return false;
	*width = ws.ws_col;
	*height = ws.ws_row;
	return true;
}

bool
terminal_utf8(void)
{
	return setlocale(LC_CTYPE, "") != NULL &&
	    strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}
