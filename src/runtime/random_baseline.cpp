// Random masks for the instruction set that the rest of the library is compiled for.
#define STG_RANDOM_ISA random_baseline
#include "random_kernels.hpp"  // table

namespace stg {
constinit const random_table random_table_baseline = random_baseline::table;
}  // namespace stg
