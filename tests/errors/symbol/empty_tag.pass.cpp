// The twin of empty_tag.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto model = [](auto v) {
  return stg::tag<"large">(exp(v(x)));
};
auto compiled = stg::compile<model>();
