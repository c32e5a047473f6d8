// Kernels for AVX-512; src/CMakeLists.txt gives this file alone the flags.
#define STG_ISA avx512
#include "kernels.hpp"  // tables
