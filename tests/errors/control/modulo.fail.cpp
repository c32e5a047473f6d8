// The rest of a division.
// build error: stg: % is no operation of values; write fmod\(a, b\), of integers a - a / b \* b
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return v(x) % 2;  // <- here
};
auto compiled = stg::compile<model>();
