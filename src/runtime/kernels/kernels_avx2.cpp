// Kernels for AVX2 and FMA; src/CMakeLists.txt gives this file alone the flags.
#define STG_ISA avx2
#include "kernels.hpp"  // tables
