// The twin of over_sparse.fail.cpp.
#include <stg/stg.hpp>

constexpr auto y = stg::over<"T">(stg::vertex_feature<"y", 8>);
constexpr auto model = [](auto v) {
  return stg::scan<"T">(v, [](auto v) {
    return tanh(v(y));
  });
};
auto compiled = stg::compile<model>();
