#include <stg/stg.hpp>

#include <stg/data/karate.hpp>

constexpr auto club = stg::vertex_feature<"club", 34>;
constexpr auto next = [](auto v) {
  return sum(v.in_edges().src(club));
};
auto model = stg::compile<next>();

auto called() {
  const auto data = stg::karate_club();
  return model(data.graph, club = data.features);
}
