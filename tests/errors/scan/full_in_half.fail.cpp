// A constant for each vertex of a type that only stores.
// build error: stg: bf16 and f16 only store; write cast<bf16>\(full<8>\(v, 0\.5\)\)
#include <stg/stg.hpp>

constexpr auto model = [](auto v) {
  return stg::full<stg::bf16, 8>(v, 0.5);  // <- here
};
auto compiled = stg::compile<model>();
