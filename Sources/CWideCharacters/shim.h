#ifndef TIDEGATE_CWIDECHARACTERS_SHIM_H
#define TIDEGATE_CWIDECHARACTERS_SHIM_H

#include <stdint.h>
#include <wchar.h>

// POSIX has wcwidth, but <wchar.h> of glibc declares it only for XSI.
int wcwidth(wchar_t character);

// The number of columns of a character on a terminal, in a locale of Unicode. -1 for an unknown character.
static inline int32_t tidegate_columns(uint32_t character) { return wcwidth((wchar_t)character); }

#endif
