// The training step on the parts of a graph that is cut.
#include <stg/distributed/cut.hpp>                // cut
#include <stg/distributed/distributed_graph.hpp>  // distributed_graph
#include <stg/distributed/thread_ranks.hpp>       // run_ranks

#include "model.hpp"  // x, label, loss

void step_on(const stg::graph& graph, const stg::tensor<float>& rows, const stg::tensor<std::int32_t>& labels) {
  const auto cut = stg::cut::by_metis(graph, 2);
  stg::run_ranks(2, [&](stg::communicator& here) {
    const stg::distributed_graph part(cut, here);
    auto weights = stg::parameters<loss>();
    (void)stg::value_and_grad<loss>()(part, x = part.rows(rows), label = part.rows(labels), weights).loss;
  });
}
