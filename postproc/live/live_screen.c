/*
 * postproc/live/live_screen.c - shows the page on a terminal, and handles keys.
 */
#include "postproc/live/live_page.h"

#include <stdlib.h>
#include <string.h>

int
live_pause(const struct live_page *p)
{
	double ms = p->follow.open ? p->follow.every * 250 : 500;

	return ms < 50 ? 50 : ms > 500 ? 500 : (int)ms;
}

static void
to_view(const struct live_page *p, struct live_look *look, enum live_view v)
{
	if (!live_has(p, v))
		return;
	look->view = v;
	look->down = look->across = look->sort = 0;
	look->reverse = false;
}

bool
live_key(const struct live_page *p, struct live_look *look, int key)
{
	unsigned columns = live_columns(p, look->view), page =
	    look->height > 6 ? look->height - 5 : 1;

	for (unsigned v = 0; v < LIVE_VIEWS; v++)
		if (key == live_view_name(v)[0])
			to_view(p, look, v);
	switch (key) {
	case 'q':
	case KEY_GONE:
		return false;
	case 's':
		if (look->view != LIVE_PACKAGES && look->view != LIVE_NUMA)
			look->sort = (look->sort + 1) % (columns + 1);
		break;
	case 'r':
		look->reverse = !look->reverse;
		break;
	case 'f':
	case ' ':
		look->frozen = !look->frozen;
		break;
	case KEY_LEFT:
		look->across -= look->across > 0;
		break;
	case KEY_RIGHT:
		look->across += look->across + 1 < columns;
		break;
	case KEY_UP:
		look->down -= look->down > 0;
		break;
	case KEY_DOWN:
		look->down++;
		break;
	case KEY_PAGE_UP:
		look->down -= look->down < page ? look->down : page;
		break;
	case KEY_PAGE_DOWN:
		look->down += page;
		break;
	case KEY_HOME:
		look->down = 0;
		break;
	case KEY_END:
		look->down = 100000;    /* live_draw reduces it to the last page */
		break;
	default:
		break;
	}
	return true;
}

static bool
live_screen_show(struct live_page *p, struct live_look *look)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	bool good = true;

	if (f == NULL)
		return true;
	if (!terminal_size(&look->width, &look->height)) {
		look->width = 80;
		look->height = 24;
	}
	live_draw(p, look, f);
	if (fclose(f) == 0 && text != NULL)
		good = terminal_show(text, size);
	free(text);
	return good;
}

int
live_screen(struct live_page *p, struct terminal *t, enum live_view view)
{
	struct live_look look = { .view = view, .utf8 = terminal_utf8(),
	    .colour = t->colour };
	bool more = live_screen_show(p, &look);
	int sig = 0, key;

	while (more) {
		sig = terminal_wait(t, live_pause(p), &key);
		if (sig == SIGTSTP)
			terminal_stop(t);
		else if (sig == SIGCONT)
			terminal_again(t);
		else if (sig != 0 && sig != SIGWINCH)
			break;
		more = live_key(p, &look, key);
		/* while the page is frozen, samples wait in the store */
		if (more && ((!look.frozen && live_page_poll(p)) || sig != 0 ||
		    key != KEY_NONE || p->follow.state != FOLLOW_LIVE))
			more = live_screen_show(p, &look);
		sig = 0;
	}
	terminal_close(t);
	return sig;
}
