// Random masks for AVX2; src/CMakeLists.txt gives this file alone the flags.
#define STG_RANDOM_ISA random_avx2
#include "random_kernels.hpp"  // table

namespace stg {
constinit const random_table random_table_avx2 = random_avx2::table;
}  // namespace stg
