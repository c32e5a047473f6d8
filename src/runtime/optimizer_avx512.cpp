// Optimiser updates for AVX-512; src/CMakeLists.txt gives this file alone the flags.
#define STG_OPTIMIZER_ISA optimizer_avx512
#include "optimizer_kernels.hpp"  // table

namespace stg {
constinit const optimizer_table optimizer_table_avx512 = optimizer_avx512::table;
}  // namespace stg
