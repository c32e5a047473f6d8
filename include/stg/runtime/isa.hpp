// The instruction set that kernels run with.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <string_view>  // string_view

namespace stg {

/// "baseline", "avx2" or "avx512": the best that the machine has, or what the environment variable STG_ISA asks for.
/// Error when it asks for one that is unknown or not there.
const char* isa();

/// The same as a number.
enum class instruction_set : int { baseline, avx2, avx512 };
instruction_set chosen_instruction_set();

/// Chooses the instruction set for the whole process. Results of different sets differ in the last bits; random masks
/// do not. Kernels in a file that is compiled for more than the chosen set use what the file is compiled for. Errors as
/// above.
///
///   stg::set_isa("baseline");
void set_isa(std::string_view name);

}  // namespace stg
