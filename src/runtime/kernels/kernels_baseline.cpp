// Kernels for the instruction set that the rest of the library is compiled for.
#define STG_ISA baseline
#include "kernels.hpp"  // tables
