// The twin of one_hot.fail.cpp.
#include <stg/stg.hpp>

constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return stg::one_hot<7>(v(label));
};
auto compiled = stg::compile<model>();
