// Looking at named values while drafts run.
#pragma once

#include <cstdint>      // int64_t
#include <functional>   // function
#include <string_view>  // string_view

namespace stg {

/// A value of a program that has just run, by the name that named<"..."> gave to it, with its scopes: "conv1/score".
struct watched_value {
  std::string_view name;
  std::int64_t rows = 0;     // vertices, edges, or 1
  std::int64_t numbers = 0;  // of all rows
  std::int64_t nans = 0, infinities = 0;
  double min = 0, max = 0;          // of the numbers that are neither; 0 where there are none
  std::int64_t first_bad_row = -1;  // the least vertex or edge id with a NaN or an infinity; -1: none
};

/// From now on calls `see` for the value of this name whenever a draft has computed it, after each run of a program
/// that has one; forward and gradient are a program each. Nothing is seen of a value that a rewrite has replaced by
/// another, nor by compiled programs. One function per name, the last that was given; an empty one ends it. Functions
/// are called one at a time, by the thread that made the call, and may watch and run programs.
///
///   stg::watch("conv1/score", [](const stg::watched_value& v) {
///     if (v.nans > 0) std::cerr << v.name << ": NaN at edge " << v.first_bad_row << '\n';
///   });
void watch(std::string_view name, std::function<void(const watched_value&)> see);

}  // namespace stg
