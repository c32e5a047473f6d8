// The twin of over_nothing.fail.cpp.
#include <stg/stg.hpp>

constexpr auto y = stg::over<12>(stg::vertex_feature<"y", 8>);
constexpr auto model = [](auto v) {
  return stg::scan<12>(v, [](auto v) {
    return tanh(v(y));
  });
};
auto compiled = stg::compile<model>();
