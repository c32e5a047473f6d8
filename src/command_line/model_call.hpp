// A call of a model that is read from files, made of words: its graph, its inputs, its parameters.
#pragma once

#include <cstdint>   // int64_t
#include <list>      // list
#include <optional>  // optional
#include <string>    // string
#include <vector>    // vector

#include <CLI/CLI.hpp>  // App

#include <stg/call/runnable.hpp>       // runnable, any_tensor
#include <stg/call/stored_model.hpp>   // stored_model
#include <stg/door/signature.hpp>      // signature
#include <stg/runtime/call_graph.hpp>  // call_graph
#include <stg/runtime/sizes.hpp>       // sizes

#include "graph_source.hpp"  // graph_source, graph_options

namespace stg::command_line {

/// Whether a path is a model: a folder with a program.stg, or a file whose name ends with .stg.
bool is_model(const std::string& path);

/// The signature of a program over a graph or over graphs.
door::signature whole_signature(const ir::program& p);
/// What output k is called: its name, or `output`, with its number where there are several.
std::string name_of_output(const door::signature& of, std::size_t k);

/// What the line says of a call.
struct call_words {
  std::string model{}, parameters{}, graph{};
  graph_options of_graph{};
  std::vector<std::string> inputs{}, extents{};
  bool draws = false;  // inputs that are not given
  bool trains = false;
  std::int64_t seed = 0;
};
void add_call_options(CLI::App& command, call_words& words);
/// `--training` and `--random`, of commands that look at how a call runs rather than at its results.
void add_trial_options(CLI::App& command, call_words& words);

/// A model, its graph and its inputs, read and in place. Errors name the input: unknown to the model, given twice, not
/// given, a file without its array, numbers that do not fit.
class model_call {
 public:
  explicit model_call(const call_words& words);
  model_call(const model_call&) = delete;
  model_call& operator=(const model_call&) = delete;

  const call_words& words() const { return words_; }
  const door::signature& signature() const { return signature_; }
  const graph_source& on() const { return on_; }
  const ir::program& program() const { return model_.program; }
  /// The sizes that the program's formulas take, by its inputs. Error for an extent of unknown size.
  sizes sizes_of_call() const;

  /// The outputs; of edges in the order of the edge list.
  std::vector<any_tensor> run(const runnable& made) const;
  /// One step of training; the loss.
  double train(runnable_step& made) const;

 private:
  void take(const std::string& word);
  void draw_missing();
  void check_missing() const;
  void place(const door::value& v, any_tensor values);
  template <class T> void place_tensor(const door::value& v, tensor<T> values);
  dimensions shape_of(const door::value& v) const;
  std::int64_t extent_of(const std::string& name, const door::value& v) const;
  bool is_given(const std::string& name) const;
  const graph& edges_of(const door::value& v) const;
  any_tensor in_input_order(const door::value& v, any_tensor values) const;
  any_tensor from_data_set(const door::value& v, const std::string& what) const;

  const call_words& words_;
  stored_model model_;
  door::signature signature_;
  graph_source on_;
  call_graph graph_;
  std::list<any_tensor> dense_{};
  std::list<sparse_tensor<float>> sparse_{};
  std::list<sparse_tensor<double>> sparse_f64_{};
  std::vector<std::pair<std::string, std::int64_t>> sparse_of_{};  // entries of sparse inputs by name
  std::list<std::string> names_{};
  std::vector<program_input> inputs_{};
};

/// The same call again and again: a step of training, or the outputs.
class trial {
 public:
  explicit trial(const model_call& call);

  void operator()();
  /// The program that runs; null for a step of training.
  const ir::program* planned() const { return layer_ ? &layer_->planned() : nullptr; }

 private:
  const model_call& call_;
  std::optional<runnable> layer_{};
  std::optional<runnable_step> step_{};
};

}  // namespace stg::command_line
