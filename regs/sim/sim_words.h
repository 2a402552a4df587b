/*
 * regs/sim/sim_words.h - words of a machine file and of a fault line.
 */
#ifndef REGS_SIM_SIM_WORDS_H
#define REGS_SIM_SIM_WORDS_H

#include <stdbool.h>
#include <stdint.h>

/* sim_word - the next word of *line, cut off there; NULL at the end of the
 * line or at a comment. */
char *sim_word(char **line);
/* sim_number - decimal or 0x, the whole word. */
bool sim_number(const char *word, uint64_t *value);
/* sim_seconds - "3", "0.25", in ns. */
bool sim_seconds(const char *word, uint64_t *ns);
/* sim_function - "3a:0a.2", or "bus2:0a.2": role 2. */
bool sim_function(const char *word, uint8_t *bus, bool *role, uint8_t *devfn);

#endif
