// The twin of full_in_half.fail.cpp.
#include <stg/stg.hpp>

constexpr auto model = [](auto v) {
  return stg::cast<stg::bf16>(stg::full<8>(v, 0.5));
};
auto compiled = stg::compile<model>();
