#ifndef TIDEGATE_CCRYPT_SHIM_H
#define TIDEGATE_CCRYPT_SHIM_H

#include <crypt.h>
#include <stdlib.h>
#include <string.h>

// Whether `hash` is the hash of `phrase`. The time does not depend on the position of the first different byte.
static inline int tidegate_crypt_matches(const char *phrase, const char *hash) {
    void *data = NULL;
    int size = 0;
    int difference = 1;
    const char *made = crypt_ra(phrase, hash, &data, &size);
    if (made != NULL && made[0] != '*' && strlen(made) == strlen(hash)) {
        difference = 0;
        for (size_t i = 0; hash[i] != 0; i++) difference |= made[i] ^ hash[i];
    }
    if (data != NULL) {
        explicit_bzero(data, (size_t)size);
        free(data);
    }
    return difference == 0;
}

#endif
