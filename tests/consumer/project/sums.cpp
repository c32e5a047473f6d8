// The program of a C library: a sum over neighbours.
#include <stg/c_library.hpp>  // STG_C_LIBRARY
#include <stg/stg.hpp>        // the language

constexpr auto x = stg::vertex_feature<"x">;
constexpr auto sum_of_sources = [](auto v) { return sum(v.in_edges().src(x)); };

STG_C_LIBRARY(sums, m) { m.program<sum_of_sources>("sum"); }
