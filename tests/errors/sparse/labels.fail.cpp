// A sparse feature of integers.
// build error: stg: a sparse feature holds real numbers; labels and masks are dense
#include <stg/stg.hpp>

constexpr auto x = stg::sparse_feature<"x", stg::i32, 16>;  // <- here
