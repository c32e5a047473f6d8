// A data set where its graph belongs.
// build error: stg: a call takes a graph first, and not what has one; write \(data\.graph, x = X, \.\.\.\)
#include <stg/stg.hpp>

#include <stg/data/karate.hpp>

constexpr auto club = stg::vertex_feature<"club", 34>;
constexpr auto next = [](auto v) {
  return sum(v.in_edges().src(club));
};
auto model = stg::compile<next>();

auto called() {
  const auto data = stg::karate_club();
  return model(data, club = data.features);  // <- here
}
