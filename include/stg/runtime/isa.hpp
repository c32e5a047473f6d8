// The instruction set that dense products and random masks run with.
#pragma once

#include <string_view>  // string_view

namespace stg {

/// "baseline", "avx2" or "avx512": the best that the machine has, or what the environment variable STG_ISA asks for.
/// Error when it asks for one that is unknown or not there.
const char* isa();

/// Chooses the instruction set for the whole process. Dense products of different sets differ in the last bits; random
/// masks do not. Errors as above.
///
///   stg::set_isa("baseline");
void set_isa(std::string_view name);

}  // namespace stg
