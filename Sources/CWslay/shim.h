#ifndef TIDEGATE_CWSLAY_SHIM_H
#define TIDEGATE_CWSLAY_SHIM_H

#include <wslay/wslay.h>

#endif
