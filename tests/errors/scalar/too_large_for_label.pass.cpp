// The twin of too_large_for_label.fail.cpp.
#include <stg/stg.hpp>

constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return v(label) + 2000000000;
};
auto compiled = stg::compile<model>();
