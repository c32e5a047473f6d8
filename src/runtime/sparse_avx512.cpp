// Sparse products for AVX-512; src/CMakeLists.txt gives this file alone the flags.
#define STG_SPARSE_ISA sparse_avx512
#include "sparse_kernels.hpp"  // table

namespace stg {
constinit const sparse_table sparse_table_avx512 = sparse_avx512::table;
}  // namespace stg
