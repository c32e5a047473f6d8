// The twin of of_another_scan.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
constexpr auto h0 = stg::vertex_feature<"h0", 8>;
constexpr auto model = [](auto v) {
  return stg::scan<"T">(
      v,
      [](auto v, auto h) {
        return h + v(x);
      },
      v(h0));
};
auto compiled = stg::compile<model>();
