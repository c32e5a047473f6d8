// Fan-outs that cannot be.
#include "pick.hpp"  // check_fan_outs

#include <stg/base/error.hpp>  // error

#include <limits>  // numeric_limits

namespace stg::detail {

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

}  // namespace stg::detail
