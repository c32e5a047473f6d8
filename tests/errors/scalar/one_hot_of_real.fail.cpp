// Places of a real number.
// build error: stg: one_hot takes a label, one number of type i32: one_hot<7>\(v\(label\)\)
#include <stg/stg.hpp>

constexpr auto kind = stg::vertex_feature<"kind">;
constexpr auto model = [](auto v) {
  return stg::one_hot<7>(v(kind));  // <- here
};
auto compiled = stg::compile<model>();
