// The training step on the parts of a graph that is cut, with kernels for two groups of columns.
#include <stg/call/in_column_groups.hpp>          // column_groups
#include <stg/distributed/cut.hpp>                // cut
#include <stg/distributed/distributed_graph.hpp>  // distributed_graph
#include <stg/distributed/thread_ranks.hpp>       // run_ranks

#include "model.hpp"  // x, label, loss

void step_on(const stg::graph& graph, const stg::tensor<float>& rows, const stg::tensor<std::int32_t>& labels) {
  const auto cut = stg::cut::by_metis(graph, 2);
  stg::run_ranks(2, [&](stg::communicator& here) {
    const stg::distributed_graph part(cut, here, stg::cut_by::features);
    auto weights = stg::parameters<loss>();
    auto step = stg::value_and_grad<loss>(stg::column_groups<2>());
    (void)step(part, x = part.rows(rows), label = part.rows(labels), weights).loss;
  });
}
