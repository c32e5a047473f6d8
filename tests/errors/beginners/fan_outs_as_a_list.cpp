// Fan-outs as a list in place of the options.
// names: fan_outs
#include <stg/data/karate.hpp>
#include <stg/sampling/neighbour_sampler.hpp>
#include <stg/stg.hpp>
int main() {
  const auto data = stg::karate_club();
  const stg::neighbour_sampler sampler(data.graph, {5, 3});  // <- here
}
