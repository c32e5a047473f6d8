// The twin of output_of_another_type.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32, 16>;
constexpr auto model = [](auto v) {
  return stg::outputs(v(x), label = stg::cast<stg::i32>(v(x)));
};
auto compiled = stg::compile<model>();
