#include "networks.hpp"  // sages
#include "define.hpp"    // STG_DEFINE_KERNELS

STG_DEFINE_KERNELS(sages, STG_KERNELS_OF_SAGES)
