// How many steps of a scan run as one, their rows one behind the other.
//
// Where no step needs another one, and none needs edges, the steps of a scan are so many more rows: what has a value
// for each of them lies as it would for one set of vertices. So a product of a small graph's rows is a product of many,
// and threads share them. What such a scan carries are sums over all rows, of a weight's gradient for one.
#pragma once

#include <cstdint>  // int64_t

#include <stg/codegen/plan_data.hpp>  // plan_data
#include <stg/codegen/launch.hpp>     // graph_view
#include <stg/codegen/scan.hpp>       // step_program

namespace stg::codegen {

/// Whether steps of scan `at` of a plan may run so: every value has a row for each vertex and is computed from that
/// row, or is the same at all steps, or is a sum over rows that the scan adds up.
bool may_run_together(const plan_data& around, int at, const step_program& repeated);

/// How many of `steps` do, in a call: as many as have some thousand rows. It depends on sizes alone, so that sums are
/// added in the same order by any number of threads.
std::int64_t steps_together(const plan_data& around, int at, const step_program& repeated, const graph_view& graph,
                            std::int64_t steps);

}  // namespace stg::codegen
