// Everything that a user of the language needs. Never included by the library itself.
#pragma once

// g++ tells of each macro on the way to a sentence, three lines for each, unless the headers are the system's. Warnings
// about headers are for those who write them: STG_WARNS_IN_HEADERS.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__) && !defined(STG_WARNS_IN_HEADERS)
#pragma GCC system_header
#endif

#include <stg/base/standard.hpp>  // C++20

// Of names in a constructor or a lambda of a template, g++ asks when it is instantiated whether a global has the same:
// a user's `h` or `list` is one, and shadowed nowhere.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif

// Headers with sentences about mistakes, each behind those that it includes: compilers print the way to the header with
// a sentence, a line for each on it, and from here it is one.
#include <stg/base/name.hpp>
#include <stg/dsl/extent.hpp>
#include <stg/dsl/expr.hpp>
#include <stg/dsl/loose.hpp>
#include <stg/dsl/fixed.hpp>
#include <stg/dsl/symbol.hpp>
#include <stg/dsl/build.hpp>
#include <stg/dsl/kinds.hpp>
#include <stg/dsl/edges.hpp>
#include <stg/dsl/vertex.hpp>
#include <stg/dsl/other_calls.hpp>
#include <stg/dsl/keep.hpp>
#include <stg/dsl/outputs.hpp>
#include <stg/dsl/next_step.hpp>
#include <stg/dsl/trace.hpp>
#include <stg/op/operation.hpp>
#include <stg/op/unread.hpp>
#include <stg/op/arithmetic.hpp>
#include <stg/op/elementary.hpp>
#include <stg/op/rounding.hpp>
#include <stg/op/aggregate.hpp>
#include <stg/op/reshape.hpp>
#include <stg/op/feature.hpp>
#include <stg/op/scan.hpp>
#include <stg/op/own_gradient.hpp>
#include <stg/op/call.hpp>
#include <stg/op/compare.hpp>
#include <stg/op/composed.hpp>
#include <stg/op/dense.hpp>
#include <stg/op/fill.hpp>
#include <stg/op/reduction.hpp>
#include <stg/op/loss.hpp>
#include <stg/op/pick.hpp>
#include <stg/op/source.hpp>
#include <stg/op/statistics.hpp>
#include <stg/op/tag.hpp>
#include <stg/op/trigonometry.hpp>
#include <stg/runtime/const_tensor.hpp>
#include <stg/runtime/graphs.hpp>
#include <stg/compile.hpp>
#include <stg/runtime/named_values.hpp>
#include <stg/call/bindings.hpp>
#include <stg/call/called_on.hpp>
#include <stg/call/said.hpp>
#include <stg/call/model.hpp>
#include <stg/call/tape.hpp>
#include <stg/call/training_step.hpp>
#include <stg/call/training.hpp>
#include <stg/call/explain.hpp>
#include <stg/runtime/optimizer_base.hpp>
#include <stg/runtime/optimizer.hpp>
#include <stg/call/on_gpu.hpp>
#include <stg/call/parameters.hpp>
#include <stg/gradient.hpp>
#include <stg/dsl/initialized.hpp>
#include <stg/nn/conv/spectral.hpp>
#include <stg/nn/recurrent/gates.hpp>
#include <stg/nn/recurrent/filters.hpp>
#include <stg/nn/recurrent/st_conv.hpp>
#include <stg/runtime/gradients.hpp>

#include <stg/nn/propagate.hpp>  // weighted

#include <stg/call/agreement_check.hpp>    // headers of another library
#include <stg/call/as_draft.hpp>           // compile as a draft
#include <stg/call/explain.hpp>            // explain, peak_bytes, to_dot
#include <stg/call/model.hpp>              // compile
#include <stg/call/on_gpu.hpp>             // compile for a GPU
#include <stg/call/parameters.hpp>         // parameters, initialize, sized
#include <stg/call/training.hpp>           // compile_for_training, value_and_grad
#include <stg/call/unoptimized.hpp>        // a word about -O0
#include <stg/dsl/keep.hpp>                // saved, recomputed, keep
#include <stg/dsl/regions.hpp>             // merge_exchanges, must_overlap
#include <stg/dsl/outputs.hpp>             // outputs
#include <stg/dsl/scope.hpp>               // scope, named
#include <stg/dsl/symbol.hpp>              // vertex_feature, parameter
#include <stg/gradient.hpp>                // gradient
#include <stg/nn/conv.hpp>                 // gcn_conv, gat_conv, …
#include <stg/nn/jumping.hpp>              // jumping_knowledge_lstm
#include <stg/nn/link.hpp>                 // dot_score, distance_score, network_score
#include <stg/nn/norm.hpp>                 // layer_norm, batch_norm, …
#include <stg/nn/pool.hpp>                 // global_mean_pool, jumping_knowledge, …
#include <stg/nn/readout.hpp>              // set2set, …
#include <stg/nn/recurrent.hpp>            // gru, tgcn, …
#include <stg/nn/sequential.hpp>           // sequential
#include <stg/runtime/accuracy.hpp>        // accuracy
#include <stg/runtime/early_stopping.hpp>  // early_stopping
#include <stg/runtime/edge_values.hpp>     // edge_values
#include <stg/runtime/gradients.hpp>       // add, clip_norm
#include <stg/runtime/graph.hpp>           // graph
#include <stg/runtime/graphs.hpp>          // graphs
#include <stg/runtime/mask.hpp>            // mask_of
#include <stg/runtime/optimizer.hpp>       // sgd, adam, adamw
#include <stg/runtime/parallel.hpp>        // set_threads
#include <stg/runtime/schedule.hpp>        // schedule
#include <stg/runtime/sparse_tensor.hpp>   // sparse_tensor, sparse
#include <stg/runtime/tensor.hpp>          // tensor

#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC diagnostic pop
#pragma GCC diagnostic ignored "-Wpsabi"  // to the end of the file: see base/config.hpp
#endif
