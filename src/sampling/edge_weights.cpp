// Looking at every weight once, when a sampler is made.
#include "edge_weights.hpp"  // checked_weights

#include <stg/base/error.hpp>  // error

#include <cmath>   // isfinite
#include <string>  // to_string

namespace stg::detail {

std::vector<float> checked_weights(const char* what, const graph& of, const edge_values<float>& weights) {
  const tensor<float> in_order = of.to_input_order(weights);  // whose checks name what is wrong
  if (in_order.rank() != 1)
    throw error(std::string(what) + ": weights of shape " + to_string(in_order.shape()) + "; give one number per edge");
  for (std::int64_t e = 0; e < in_order.size(); ++e)
    if (!(in_order(e) >= 0) || !std::isfinite(in_order(e)))
      throw error(std::string(what) + ": the weight of edge " + std::to_string(e) + " is " +
                  std::to_string(in_order(e)) + "; it must be finite and not negative");
  return {weights.values().begin(), weights.values().end()};
}

}  // namespace stg::detail
