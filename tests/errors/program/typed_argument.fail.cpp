// An argument of a type of its own.
// build error: stg: a program takes one argument, the vertex; write \[\]\(auto v\) \{ return \.\.\.; \}
#include <stg/stg.hpp>

constexpr auto model = [](double x) {
  return 2.0 * x;
};
auto compiled = stg::compile<model>();  // <- here
