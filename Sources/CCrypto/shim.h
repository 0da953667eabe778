#ifndef TIDEGATE_CCRYPTO_SHIM_H
#define TIDEGATE_CCRYPTO_SHIM_H

#include <openssl/evp.h>

#endif
