// The twin of cast_to_a_type_of_cpp.fail.cpp.
#include <stg/stg.hpp>

constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return stg::cast<stg::f32>(v(label));
};
auto compiled = stg::compile<model>();
