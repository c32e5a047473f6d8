// An epoch of a network on Cora: forward, loss, gradient and Adam on the full batch, launched kernel by kernel and as a
// captured step.
#pragma once

#include "models.hpp"     // gcn, gat
#include "on.hpp"         // compiled, place
#include "reference.hpp"  // overall_difference
#include "session.hpp"    // session

#include <stg/data/npy.hpp>  // write_npy

#include <cmath>        // abs
#include <filesystem>   // create_directories
#include <string>       // string
#include <string_view>  // string_view
#include <vector>       // vector

#if defined(STG_BENCH_ON_HOST)
namespace device_bench {
inline constexpr std::uint64_t first_seed = 1;
}
#else
#include "training.hpp"  // training_on_device
#endif

namespace device_bench {

/// What the peers are given: inputs and initial parameters, and the logits that inference must give with them.
template <class Network>
void write_for_peers(const std::filesystem::path& folder, const cora_data& data, const parameters_of<Network>& initial,
                     const stg::tensor<float>& logits) {
  std::filesystem::create_directories(folder);
  const auto write = [&](const std::string& name, const auto& t) {
    stg::write_npy((folder / (name + ".npy")).string(), t);
  };
  const stg::edge_list edges = data.graph.edge_list();
  write("src", stg::tensor<std::int32_t>::from({data.graph.edges()}, std::span<const std::int32_t>(edges.src)));
  write("dst", stg::tensor<std::int32_t>::from({data.graph.edges()}, std::span<const std::int32_t>(edges.dst)));
  write("x", data.x);
  write("label", data.label);
  write("known", data.known);
  write("logits", logits);
  for_each(initial, [&](std::string_view name, const auto& t) { write(std::string(name), t); });
}

/// Distances of all arrays of one set from another's.
template <class Set> std::vector<check> checks_of(const Set& a, const Set& b, double limit) {
  std::vector<const stg::tensor<float>*> of_b;
  for_each(b, [&](std::string_view, const auto& t) { of_b.push_back(&t); });
  std::vector<check> checks;
  for_each(a, [&](std::string_view name, const auto& t) {
    checks.push_back(
        {"gradient of " + std::string(name), overall_difference(t.to(stg::host), *of_b[checks.size()]), limit});
  });
  return checks;
}

/// name: gcn:cora:16:epoch
template <class Network> void measure_epoch(const std::string& name, const cora_data& data, const session& to) {
  const subject on{"cora", data.graph, data.graph.to(place)};
  to.run(name, on, [&](case_record& record) {
    auto initial = stg::parameters<Network::loss>(stg::sized<"F">(data.x.extent(1)), stg::sized<"C">(data.classes));
    stg::initialize(initial, 5);
    const first_step<Network> expected = step_on_cpu<Network>(data, initial, first_seed);
    const auto there_words = data.words.to(place);
    const auto there_label = data.label.to(place);
    const auto there_known = data.known.to(place);
    const auto one = stg::tensor<float>::full(stg::dimensions(), 1).to(place);
    const auto with_inputs = [&](const auto& call, const auto& parameters) {
      return call(on.there, words = there_words, label = there_label, known = there_known, parameters);
    };

    const auto start = initial.to(place);
    {
      auto trainer = compiled_for_training<Network::loss>();
      trainer.seed(first_seed);
      auto tape = with_inputs([&](const auto&... args) { return trainer.record(args...); }, start);
      record.checks = checks_of(tape.backward(one), expected.gradients, 1e-4);
      const double loss = static_cast<double>(tape.output().to(stg::host).item());
      const double apart = std::abs(loss - static_cast<double>(expected.loss)) / static_cast<double>(expected.loss);
      record.checks.push_back({"loss", apart, 1e-5});
    }
    const auto logits = compiled<Network::model>()(on.there, words = there_words, start).to(stg::host);
    record.checks.push_back({"logits", largest_difference(logits, expected.logits), 1e-4});
    if (!to.exchange.empty())
      write_for_peers<Network>(std::filesystem::path(to.exchange) / (name.substr(0, 3) + "_cora"), data, initial,
                               logits);

#if !defined(STG_BENCH_ON_HOST)
    using bind = decltype(with_inputs);
    training_on_device<Network, bind> launched(initial, with_inputs, one), captured(initial, with_inputs, one);
    training_loop<Network, bind> loop(initial, with_inputs);
    launched.epoch();
    captured.epoch();  // reserves what an epoch takes
    captured.restart(initial);
    captured.capture();
    captured.launch();
    loop.epoch();
    record.checks.push_back({"parameters after a captured epoch and one that was launched, bit by bit",
                             apart(captured.parameters(), launched.parameters()), 0});
    record.checks.push_back({"parameters after an epoch that was launched and one of the loop, bit by bit",
                             apart(launched.parameters(), loop.parameters()), 0});
    const std::string wrong = disagreement(record.checks);
    if (!wrong.empty()) {
      record.entries = {{"stg", "captured", {}, {}, wrong}};
      return;
    }
    record.entries = to.in_turn({{"stg", "captured", [&] { captured.launch(); }},
                                 {"stg", "launched", [&] { launched.epoch(); }},
                                 {"stg", "loop", [&] { loop.epoch(); }}});
#endif
  });
}

extern template void measure_epoch<gcn>(const std::string&, const cora_data&, const session&);
extern template void measure_epoch<gat>(const std::string&, const cora_data&, const session&);

}  // namespace device_bench
