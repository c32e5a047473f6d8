// What is wrong with calls through a door.
#include <stg/door/gradients.hpp>
#include <stg/door/program.hpp>

#include <string>   // string, to_string
#include <utility>  // move
#include <vector>   // vector

#include <stg/base/error.hpp>  // error

namespace stg::door::detail {

void not_called_on(const called_with& on, bool is_over_sets) {
  if (is_over_sets && on.kinds == nullptr)
    throw error("the program reads vertex sets; call it on a graph of several kinds that has them");
  if (!is_over_sets && on.kinds != nullptr)
    throw error("the program reads a plain graph, and this is one of several kinds");
  if (on.hops != nullptr) throw error("the program is not made for blocks; call it on the graph of the batch");
  throw error("the program reads edges outside of its scans' steps; call it on a graph, not on a sequence");
}

signature named_gradients(signature s, const std::vector<std::string>& names) {
  if (s.draws)
    throw error("the program draws random numbers, and its gradients as a program would draw others; leave them out");
  for (std::size_t k = 0; k < names.size(); ++k) s.outputs[k].name = names[k];
  return s;
}

void wrong_results(std::size_t given, std::size_t wanted) {
  throw error("the program gives " + std::to_string(wanted) + (wanted == 1 ? " result" : " results") + ", not " +
              std::to_string(given));
}

void wrong_result(std::size_t k, scalar_type wanted) {
  throw error("output " + std::to_string(k) + " is a tensor of " + std::string(name_of(wanted)));
}

void wrong_cotangents(std::size_t given, std::size_t outputs) {
  throw error("backward takes a cotangent for each real output, " + std::to_string(outputs) + ", not " +
              std::to_string(given));
}

void wrong_cotangent(int output, scalar_type wanted) {
  throw error("the cotangent of output " + std::to_string(output) + " is a tensor of " + std::string(name_of(wanted)));
}

}  // namespace stg::door::detail
