// A feature whose name has no room in messages and reports.
// build error: stg: the name of an input has at most 62 characters; use a shorter one
// instead of: is_too_long
#include <stg/stg.hpp>

constexpr auto x =
    stg::vertex_feature<"everything_that_is_known_about_a_person_before_any_neighbour_is_asked", 16>;  // <- here
constexpr auto model = [](auto v) {
  return relu(v(x));
};
auto compiled = stg::compile<model>();
