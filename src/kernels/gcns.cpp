#include "networks.hpp"  // gcns
#include "define.hpp"    // STG_DEFINE_KERNELS

STG_DEFINE_KERNELS(gcns, STG_KERNELS_OF_GCNS)
