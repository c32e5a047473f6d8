// The twin of one_name_two_values.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto a = stg::named<"score">(relu(v(x)));
  return stg::named<"scaled score">(a * 0.5);
};
auto layer = stg::compile<model>();
