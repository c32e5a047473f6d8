// One case of the comparison on stg's side: bound to its inputs, ready to run again and again.
#pragma once

#include <stg/runtime/graph.hpp>  // graph, tensor

#include <cstdint>  // int64_t
#include <memory>   // unique_ptr
#include <string>   // string
#include <vector>   // vector

namespace peers {

/// A case as the orchestrator spells it, KIND:GRAPH:SIZE:PASS, such as sum:arxiv_like:64:both.
struct case_name {
  std::string kind;   // sum, attention, gcn, gat, tgcn, gconv_gru, sampling, sage, rgcn, gin
  std::string graph;  // a name of graphs::named; of recurrences and of many kinds those of cases.py
  std::string size;   // a width, heads x dim, the hidden size of a model, or neighbours of each hop
  std::string pass;   // forward, both (forward and gradient), epoch and step (both and Adam), draw
};

/// The parts of a spelled case. Error unless there are four.
case_name parse_case(const std::string& spelled);

/// What a case computes from: everybody reads the same arrays, so stg writes what it draws.
struct inputs {
  stg::graph graph;
  std::string folder;  // arrays of this case, NAME.npy

  /// Standard normal numbers, written as NAME.npy unless that is there; both are the same numbers.
  stg::tensor<float> normal(const std::string& name, const stg::dimensions& shape, std::uint64_t seed) const;
  /// Writes NAME.npy.
  template <class T> void keep(const std::string& name, const stg::tensor<T>& t) const;
};

/// A case that can be run.
class work {
 public:
  virtual ~work() = default;
  /// Everything that the case times, once.
  virtual void run() = 0;
  /// The arrays that a peer must compute as well, NAME.npy each; the state of the case is as new afterwards.
  virtual void write_results(const std::string& folder) = 0;
  /// Bytes that the plan gives to a run: values between units, saved values, gradients, and outputs in training.
  virtual std::int64_t planned_bytes() const = 0;
  /// Bytes of outputs and gradients, which every implementation has to hold.
  virtual std::int64_t result_bytes() const = 0;
  /// Edges that a run takes, where that is what counts; else 0.
  virtual std::int64_t edges() const { return 0; }
};

std::unique_ptr<work> make_sum(const case_name& which, const inputs& in);
/// No computation of stg's: the least time in which the rows of a sum can be read and its result be written.
std::unique_ptr<work> make_floor(const case_name& which, const inputs& in);
std::unique_ptr<work> make_attention(const case_name& which, const inputs& in);
std::unique_ptr<work> make_gcn(const case_name& which, const inputs& in, const std::string& variant);
std::unique_ptr<work> make_gat(const case_name& which, const inputs& in, const std::string& variant);
/// Recurrences over the steps of a signal (temporal.cpp), which have graphs of their own.
std::unique_ptr<work> make_temporal(const case_name& which, const inputs& in, const std::string& variant);
/// Neighbours, and steps on batches of them (sampled.cpp).
std::unique_ptr<work> make_sampled(const case_name& which, const inputs& in, const std::string& variant);
/// Programs over several vertex sets (kinds.cpp), which have graphs of their own.
std::unique_ptr<work> make_kinds(const case_name& which, const inputs& in);

/// The ways in which stg can do a case: "stg" first; "floor" beside a forward sum; widths beside 100; "fixed" features
/// of a made graph's vertices, "sparse" features of a data set's; batches "called" for, on no threads of their own.
std::vector<std::string> variants(const case_name& which);

/// The case, in one of these ways. Error for an unknown case.
std::unique_ptr<work> make(const case_name& which, const std::string& variant, const std::string& folder);

}  // namespace peers
