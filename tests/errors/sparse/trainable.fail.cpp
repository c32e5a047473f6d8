// A sparse feature that is to be trained.
// build error: stg: a sparse feature has no gradient; declare what is trained as a vertex_feature
#include <stg/stg.hpp>

constexpr auto x = trainable(stg::sparse_feature<"x", 16>);  // <- here
