// Random masks for AVX-512; src/CMakeLists.txt gives this file alone the flags.
#define STG_RANDOM_ISA random_avx512
#include "random_kernels.hpp"  // table

namespace stg {
constinit const random_table random_table_avx512 = random_avx512::table;
}  // namespace stg
