// Sample programs that together use every operation: the same ones go through the oracle and every backend.
#pragma once

#include "samples/attention.hpp"    // attention, …
#include "samples/edges.hpp"        // sums, …
#include "samples/features.hpp"     // feature_softmax, …
#include "samples/pointwise.hpp"    // arithmetic, …
#include "samples/products.hpp"     // products, …
#include "samples/symbols.hpp"      // x, y, …
#include "samples/training.hpp"     // random_masks, modes
#include "samples/whole_graph.hpp"  // classification, …
#include "samples/written.hpp"      // padded, …

#include <stg/dsl/trace.hpp>  // trace

#include <string_view>  // string_view

namespace stg::samples {

/// One sample: its program as a lambda at namespace scope, which is what compile<…>() takes.
template <const auto& Program, int Line, bool CompiledAlways = true> struct sample {
  std::string_view name;
  static constexpr const auto& program = Program;
  static constexpr int line = Line;  // of the list, tells samples apart, so that a test file can take its share of them
  static constexpr bool compiled_always = CompiledAlways;
};

/// Calls f(sample<lambda>{name}) for every sample. As kernels, those called further are for the proof alone: what they
/// are made of the others hold too, every operation per vertex, edge and graph, which autodiff_test looks at.
template <class F> void for_each_sample(F&& f) {
  constexpr int list = __LINE__;
#define STG_SAMPLE(word) f(sample<word, __LINE__ - list>{#word});
#define STG_FURTHER_SAMPLE(word) f(sample<word, __LINE__ - list, false>{#word});
  STG_FURTHER_SAMPLE(arithmetic)
  STG_SAMPLE(activations)
  STG_SAMPLE(functions_0)
  STG_SAMPLE(extremes)
  STG_SAMPLE(powers)
  STG_SAMPLE(choices)
  STG_FURTHER_SAMPLE(casts)
  STG_FURTHER_SAMPLE(used_twice)
  STG_SAMPLE(feature_reductions)
  STG_FURTHER_SAMPLE(feature_softmax)
  STG_FURTHER_SAMPLE(shapes)
  STG_FURTHER_SAMPLE(broadcasting)
  STG_SAMPLE(runtime_extents)
  STG_SAMPLE(sources)
  STG_FURTHER_SAMPLE(sums)
  STG_FURTHER_SAMPLE(means)
  STG_SAMPLE(maxima)
  STG_SAMPLE(attention)
  STG_FURTHER_SAMPLE(dropped_attention)
  STG_FURTHER_SAMPLE(out_attention)
  STG_FURTHER_SAMPLE(bilinear_attention)
  STG_FURTHER_SAMPLE(soft_maximum)
  STG_SAMPLE(two_hops)
  STG_FURTHER_SAMPLE(edge_output)
  STG_SAMPLE(edge_features)
  STG_SAMPLE(parameters_on_edges)
  STG_FURTHER_SAMPLE(degrees)
  STG_FURTHER_SAMPLE(products)
  STG_SAMPLE(sparse_products)
  STG_FURTHER_SAMPLE(convolution)
  STG_SAMPLE(whole_graph)
  STG_FURTHER_SAMPLE(graph_arithmetic)
  STG_SAMPLE(classification)
  STG_SAMPLE(links)
  STG_SAMPLE(pooled)
  STG_FURTHER_SAMPLE(regression)
  STG_SAMPLE(random_masks)
  STG_FURTHER_SAMPLE(no_edges)
  STG_SAMPLE(padded)
  STG_SAMPLE(placed)
  STG_SAMPLE(repeated)
  STG_SAMPLE(transposed_products)
  STG_SAMPLE(transposed_sparse_products)
  STG_SAMPLE(indices)
  STG_SAMPLE(functions_1)
  STG_SAMPLE(functions_2)
  STG_FURTHER_SAMPLE(gates)
  STG_SAMPLE(steps)
  STG_FURTHER_SAMPLE(logic)
  STG_FURTHER_SAMPLE(scored_pairs)
  STG_FURTHER_SAMPLE(rows_of_rows)
  STG_SAMPLE(modes)
  STG_SAMPLE(factors)
  STG_SAMPLE(spreads)
  STG_SAMPLE(edge_products)
  STG_SAMPLE(relations)
  STG_FURTHER_SAMPLE(slopes)
  STG_SAMPLE(scattered)
  STG_SAMPLE(own_operations)
  STG_SAMPLE(embedded)
#undef STG_SAMPLE
#undef STG_FURTHER_SAMPLE
}

}  // namespace stg::samples
