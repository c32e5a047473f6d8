// Optimiser updates for the instruction set that the rest of the library is compiled for.
#define STG_OPTIMIZER_ISA optimizer_baseline
#include "optimizer_kernels.hpp"  // table

namespace stg {
constinit const optimizer_table optimizer_table_baseline = optimizer_baseline::table;
}  // namespace stg
