// The twin of forbidden_label.fail.cpp.
#include <stg/stg.hpp>

constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return v(label);
};
auto compiled = stg::compile<model>();
