// The twin of one_hot_of_real.fail.cpp.
#include <stg/stg.hpp>

constexpr auto kind = stg::vertex_feature<"kind", stg::i32>;
constexpr auto model = [](auto v) {
  return stg::one_hot<7>(v(kind));
};
auto compiled = stg::compile<model>();
