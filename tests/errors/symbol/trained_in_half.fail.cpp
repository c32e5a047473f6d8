// A parameter of two bytes a number.
// build error: stg: what is trained is f32 or f64; bf16 and f16 store features
#include <stg/stg.hpp>

constexpr auto W = stg::parameter<"W", stg::bf16, 16, 7>;  // <- here
