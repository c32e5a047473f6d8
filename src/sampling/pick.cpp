// Fan-outs that cannot be.
#include "pick.hpp"  // fan_outs_of

#include "../runtime/graph/kind_table.hpp"  // quote

#include <stg/base/error.hpp>  // error

#include <limits>   // numeric_limits
#include <string>   // to_string
#include <utility>  // move

namespace stg::detail {

namespace {

void check_fan_outs(const std::string& by, std::span<const std::int64_t> fan_outs, bool with_replacement) {
  for (std::size_t h = 0; h < fan_outs.size(); ++h) {
    const std::int64_t f = fan_outs[h];
    if (f < all_neighbours)
      throw error(by + ": fan-out " + std::to_string(f) + " of hop " + std::to_string(h + 1) +
                  "; give a number of edges, or all_neighbours");
    if (with_replacement && f > std::numeric_limits<std::int32_t>::max())
      throw error(by + ": fan-out " + std::to_string(f) + " of hop " + std::to_string(h + 1) +
                  " with replacement; give up to " + std::to_string(std::numeric_limits<std::int32_t>::max()));
    if (f == all_neighbours && with_replacement)
      throw error(by + ": all neighbours of hop " + std::to_string(h + 1) +
                  " with replacement; give a number of edges");
  }
}

}  // namespace

numbers_by_hop fan_outs_of(const std::string& by, std::vector<std::int64_t> fan_outs, bool with_replacement) {
  check_fan_outs(by, fan_outs, with_replacement);
  return numbers_of_hops(std::move(fan_outs));
}

numbers_by_hop fan_outs_of(const std::string& by, const sampled_kinds& kinds, std::span<const std::int64_t> general,
                           std::span<const relation_fan_outs> given, bool with_replacement) {
  check_fan_outs(by, general, with_replacement);
  std::vector<std::string_view> names;
  for (const sampled_relation& r : kinds.relations()) names.push_back(r.names.name);
  std::vector<named_hops> by_name;
  for (const relation_fan_outs& of : given) by_name.push_back({of.relation, of.fan_outs});
  numbers_by_hop numbers = numbers_of_hops(by, "fan-outs of relation", names, general, by_name);
  for (const relation_fan_outs& of : given)
    check_fan_outs(by + ": relation " + quote(of.relation), of.fan_outs, with_replacement);
  return numbers;
}

}  // namespace stg::detail
