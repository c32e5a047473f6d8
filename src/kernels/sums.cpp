#include "sums.hpp"    // sums
#include "define.hpp"  // STG_DEFINE_KERNELS

STG_DEFINE_KERNELS(sums, STG_KERNELS_OF_SUMS)
