// Optimiser updates for AVX2 and FMA; src/CMakeLists.txt gives this file alone the flags.
#define STG_OPTIMIZER_ISA optimizer_avx2
#include "optimizer_kernels.hpp"  // table

namespace stg {
constinit const optimizer_table optimizer_table_avx2 = optimizer_avx2::table;
}  // namespace stg
