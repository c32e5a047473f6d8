// The twin of bce_of_integers.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto y = stg::vertex_feature<"y", stg::i32, 8>;
constexpr auto model = [](auto v) {
  return bce_with_logits(v(x), stg::cast<stg::f32>(v(y)));
};
auto compiled = stg::compile<model>();
