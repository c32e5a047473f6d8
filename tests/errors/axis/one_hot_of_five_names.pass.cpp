// The twin of one_hot_of_five_names.fail.cpp.
#include <stg/stg.hpp>

constexpr auto A = stg::extent<"A">;
constexpr auto B = stg::extent<"B">;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return stg::one_hot<A + B>(v(label));
};
auto compiled = stg::compile<model>();
