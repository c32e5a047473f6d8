// What lies in memory by stg's plan beside what another rule would store, and what was promised.
#pragma once

#include <string>  // string

#include "report_units.hpp"  // program_with_plan

namespace stg::detail::explained {

/// Two lines of numbers: how many values are stored, their bytes, bytes moved and operations, as planned and by
/// pytato's rule; then a line for each promise of the lambda, kept or refused and why.
std::string choices_text(const program_with_plan& h, const measure& size);

}  // namespace stg::detail::explained
