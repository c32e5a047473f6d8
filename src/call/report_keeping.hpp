// What each way of keeping would save for the gradient, and compute.
#pragma once

#include <string>  // string

#include "report_words.hpp"  // measure

namespace stg::detail::explained {

/// A line for each way: bytes that are saved, and operations of the forward program and the gradient.
std::string keeping_text(const compiled_programs& all, const measure& size);

}  // namespace stg::detail::explained
