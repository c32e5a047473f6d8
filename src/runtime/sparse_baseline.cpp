// Sparse products for the instruction set that the library is compiled for.
#define STG_SPARSE_ISA sparse_baseline
#include "sparse_kernels.hpp"  // table

namespace stg {
constinit const sparse_table sparse_table_baseline = sparse_baseline::table;
}  // namespace stg
