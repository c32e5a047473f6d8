// Everything that a user of the language needs. Never included by the library itself.
#pragma once

// Of names in a constructor or a lambda of a template, g++ asks when it is instantiated whether a global has the same:
// a user's `h` or `list` is one, and shadowed nowhere.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif

// Before the rest: compilers print the way to the header with a mistake, a line for each on it.
#include <stg/dsl/trace.hpp>  // trace
#include <stg/op/list.hpp>    // the operators

#include <stg/nn/propagate.hpp>  // weighted

#include <stg/call/agreement_check.hpp>   // headers of another library
#include <stg/call/as_draft.hpp>          // compile as a draft
#include <stg/call/explain.hpp>           // explain, peak_bytes, to_dot
#include <stg/call/model.hpp>             // compile
#include <stg/call/on_gpu.hpp>            // compile for a GPU
#include <stg/call/parameters.hpp>        // parameters, initialize, sized
#include <stg/call/training.hpp>          // compile_for_training, value_and_grad
#include <stg/call/unoptimized.hpp>       // a word about -O0
#include <stg/dsl/keep.hpp>               // saved, recomputed, keep
#include <stg/dsl/outputs.hpp>            // outputs
#include <stg/dsl/scope.hpp>              // scope, named
#include <stg/dsl/symbol.hpp>             // vertex_feature, parameter
#include <stg/gradient.hpp>               // gradient
#include <stg/nn/conv.hpp>                // gcn_conv, gat_conv, …
#include <stg/nn/jumping.hpp>             // jumping_knowledge_lstm
#include <stg/nn/link.hpp>                // dot_score, distance_score, network_score
#include <stg/nn/norm.hpp>                // layer_norm, batch_norm, …
#include <stg/nn/pool.hpp>                // global_mean_pool, jumping_knowledge, …
#include <stg/nn/readout.hpp>             // set2set, …
#include <stg/nn/recurrent.hpp>           // gru, tgcn, …
#include <stg/nn/sequential.hpp>          // sequential
#include <stg/runtime/edge_values.hpp>    // edge_values
#include <stg/runtime/gradients.hpp>      // add, clip_norm
#include <stg/runtime/graph.hpp>          // graph
#include <stg/runtime/graphs.hpp>         // graphs
#include <stg/runtime/optimizer.hpp>      // sgd, adam, adamw
#include <stg/runtime/parallel.hpp>       // set_threads
#include <stg/runtime/sparse_tensor.hpp>  // sparse_tensor, sparse
#include <stg/runtime/tensor.hpp>         // tensor

#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC diagnostic pop
#pragma GCC diagnostic ignored "-Wpsabi"  // to the end of the file: see base/config.hpp
#endif
