// Steps of the networks on the CPU: a plain C++ file, so that they run by the CPU's kernels.
#include "models.hpp"

namespace device_bench {

template <class Network>
first_step<Network> step_on_cpu(const cora_data& on, const parameters_of<Network>& parameters, std::uint64_t seed) {
  auto step = stg::value_and_grad<Network::loss>();
  step.seed(seed);
  auto now = step(on.graph, words = on.words, label = on.label, known = on.known, parameters);
  first_step<Network> result;
  result.loss = now.loss;
  result.gradients = now.gradients.to(stg::host);  // copies: the step's are views
  result.logits = stg::compile<Network::model>()(on.graph, words = on.words, parameters);
  return result;
}

template first_step<gcn> step_on_cpu<gcn>(const cora_data&, const parameters_of<gcn>&, std::uint64_t);
template first_step<gat> step_on_cpu<gat>(const cora_data&, const parameters_of<gat>&, std::uint64_t);

}  // namespace device_bench
