// An explanation in full.
#pragma once

#include <string>  // string

#include "report_programs.hpp"  // planned_programs

namespace stg::detail::explained {

/// Every value, unit, loop over edges and array, under a list of the words that they are described with.
std::string full_text(const compiled_programs& all, const planned_programs& planned, const sizes* given);

}  // namespace stg::detail::explained
