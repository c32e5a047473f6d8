// The summary of an explanation.
#pragma once

#include <string>  // string

#include "report_programs.hpp"  // planned_programs

namespace stg::detail::explained {

/// What became of a lambda and what it costs: in twenty lines at most, of which each is cut where it is too long, or
/// whole.
std::string summary_text(const compiled_programs& all, const planned_programs& planned, const sizes* given, bool whole);

}  // namespace stg::detail::explained
