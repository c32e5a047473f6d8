// The twin of read_outside.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
constexpr auto model = [](auto v) {
  return stg::scan<"T">(v, [](auto v) {
    return tanh(v(x));
  });
};
auto compiled = stg::compile<model>();
