// What is asked of training calls about what they keep.
#include <stg/runtime/checkpoints.hpp>

#include <string>  // to_string

#include <stg/base/error.hpp>  // error

namespace stg::detail {

void check(const checkpoints& asked) {
  if (asked.every < 0)
    throw error("checkpoints are asked for every " + std::to_string(asked.every) +
                " steps; give 1 or more, or 0 for none");
  if (asked.within < 0)
    throw error("checkpoints are asked for within " + std::to_string(asked.within) +
                " bytes; give 1 or more, or 0 for no limit");
  if (asked.every > 0 && asked.within > 0)
    throw error("checkpoints are asked for every " + std::to_string(asked.every) + " steps and within " +
                std::to_string(asked.within) + " bytes; give one of them");
}

void say_that_bytes_are_too_few(std::int64_t limit, std::int64_t steps, std::int64_t bytes) {
  const std::string limited = "; the limit is " + std::to_string(limit);
  if (steps == 0)
    throw error("a training call takes " + std::to_string(bytes) + " bytes, and no scan keeps less" + limited);
  throw error("a training call with checkpoints every " + std::to_string(steps) + " steps takes " +
              std::to_string(bytes) + " bytes, and about as little as it can" + limited);
}

}  // namespace stg::detail
