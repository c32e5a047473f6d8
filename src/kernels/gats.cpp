#include "networks.hpp"  // gats
#include "define.hpp"    // STG_DEFINE_KERNELS

STG_DEFINE_KERNELS(gats, STG_KERNELS_OF_GATS)
