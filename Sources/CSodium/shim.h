#ifndef TIDEGATE_CSODIUM_SHIM_H
#define TIDEGATE_CSODIUM_SHIM_H

#include <sodium.h>

#endif
