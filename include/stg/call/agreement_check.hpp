// A program whose headers are not those of the library that it is linked with says so when it starts, and ends: what
// the two hand to each other as data would be read wrongly, in silence.
#pragma once

#include <stg/codegen/agreement.hpp>  // agreement, agreement_of_headers

namespace stg::detail {

/// Ends the program with a line on stderr where the library was compiled with headers that differ; else true.
bool check_agreement(const codegen::agreement& of_headers);

}  // namespace stg::detail

namespace {
[[maybe_unused]] const bool stg_agrees = stg::detail::check_agreement(stg::codegen::agreement_of_headers);
}
