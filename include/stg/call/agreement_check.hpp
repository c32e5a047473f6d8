// A program says so when it starts, and ends, if its headers are not its library's: the two would read each other's
// data wrongly, in silence.
#pragma once

#include <stg/codegen/agreement.hpp>  // agreement, agreement_of_headers

namespace stg::detail {

/// Ends the program with a line on stderr if the library was compiled with other headers; else true.
bool check_agreement(const codegen::agreement& of_headers);

}  // namespace stg::detail

namespace {
[[maybe_unused]] const bool stg_agrees = stg::detail::check_agreement(stg::codegen::agreement_of_headers);
}
