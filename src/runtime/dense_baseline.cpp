// Dense products for the instruction set that the rest of the library is compiled for.
#define STG_DENSE_ISA dense_baseline
#include "dense_kernels.hpp"  // table

namespace stg {
constinit const dense_table dense_table_baseline = dense_baseline::table;
}  // namespace stg
