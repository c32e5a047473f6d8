// Parts of the page of a program, each as HTML.
#pragma once

#include <string>  // string

#include <stg/call/report.hpp>  // sizes
#include <stg/ir/program.hpp>   // program

#include "report_memory.hpp"  // block_use

namespace stg::detail {

std::string preformatted(const std::string& text);
std::string folded(const std::string& title, const std::string& inside, bool is_open);

/// Equations of each output, then those of the steps of its scans and of what it calls; or why a value has none.
std::string equations_text(const ir::program& p);

/// A row for each stored value, from the unit that writes it to the last one that reads it; with sizes, below, how much
/// is alive in each unit.
std::string memory_chart(const explained::block_use& block, const sizes* given);

}  // namespace stg::detail
