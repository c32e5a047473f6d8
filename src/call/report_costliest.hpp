// The units of an explanation that cost most.
#pragma once

#include <cstdint>  // int64_t
#include <string>   // string
#include <vector>   // vector

#include "report_units.hpp"  // program_with_plan

namespace stg::detail::explained {

/// A machine does so many operations while its memory brings a byte.
inline constexpr std::int64_t operations_per_byte = 16;

/// Sizes that stand in for those that are not given.
inline constexpr std::int64_t some_vertices = 1'000'000, edges_per_vertex = 16, some_extent = 64;

/// A formula's value for the sizes given, or for those that stand in.
std::int64_t number_of(const formula& f, const sizes* given);

/// A line for each of the `count` units that cost most, behind so many blanks: what it is, where it was written, what
/// it costs, and its share where sizes are given.
std::string costliest_text(const std::vector<const program_with_plan*>& programs, const sizes* given, std::size_t count,
                           std::size_t indent);

}  // namespace stg::detail::explained
