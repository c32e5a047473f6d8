// A name that has no room in what explain prints.
// build error: stg: a name with the scopes around it has at most 62 characters; use shorter ones
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return stg::named<"what_the_neighbours_say_about_a_vertex_after_they_were_asked_twice">(2.0 * v(x));
};
auto compiled = stg::compile<model>();  // <- here
