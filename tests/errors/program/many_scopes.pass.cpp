// The twin of many_scopes.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto twice = [](auto, auto h) {
  return 2.0 * h;
};
constexpr auto four = [](auto v, auto h) {
  h = stg::scope<"b">(v, twice, stg::scope<"a">(v, twice, h));
  return stg::scope<"d">(v, twice, stg::scope<"c">(v, twice, h));
};
constexpr auto sixteen = [](auto v, auto h) {
  h = stg::scope<"f">(v, four, stg::scope<"e">(v, four, h));
  return stg::scope<"h">(v, four, stg::scope<"g">(v, four, h));
};
constexpr auto model = [](auto v) {
  auto h = stg::scope<"j">(v, sixteen, stg::scope<"i">(v, sixteen, v(x)));
  h = stg::scope<"l">(v, four, stg::scope<"k">(v, sixteen, h));
  h = stg::scope<"n">(v, four, stg::scope<"o">(v, four, h));
  return 2.0 * h;
};
auto compiled = stg::compile<model>();
