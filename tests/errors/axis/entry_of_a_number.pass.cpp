// The twin of entry_of_a_number.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return v(x)[v(label)];
};
auto compiled = stg::compile<model>();
