// An extent whose name has no room in messages and reports.
// build error: stg: the name of an extent has at most 62 characters; use a shorter one
// instead of: is_too_long
#include <stg/stg.hpp>

constexpr auto n = stg::extent<"number_of_the_words_that_occur_in_any_of_the_papers_of_a_data_set">;
constexpr auto x = stg::vertex_feature<"x", n>;  // <- here
constexpr auto model = [](auto v) {
  return relu(v(x));
};
auto compiled = stg::compile<model>();
