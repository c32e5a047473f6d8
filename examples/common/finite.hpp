// Training that has failed stops where it failed.
#pragma once

#include <stg/base/error.hpp>  // error

#include <cmath>   // isfinite
#include <string>  // string

namespace common {

/// The loss of a step, when it is a finite number. Features may hold NaN or infinity, which dropout may hide for some
/// epochs, and a learning rate may be too large: then every later epoch computes in vain. Error that names the epoch,
/// counted from 1, and the seed.
///
///   common::require_finite(loss, seed, epoch);  // epoch counts from 0
inline void require_finite(double loss, int seed, int epoch) {
  if (std::isfinite(loss)) return;
  throw stg::error("loss is " + std::to_string(loss) + " at epoch " + std::to_string(epoch + 1) + " of seed " +
                   std::to_string(seed) + "; look for NaN or infinity among the features, or lower the learning rate");
}

}  // namespace common
