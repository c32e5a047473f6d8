// A graph attention layer, forward, and forward with its gradients.
#pragma once

#include "layers.hpp"     // gat_of
#include "numbers.hpp"    // numbers
#include "on.hpp"         // compiled, place
#include "reference.hpp"  // gat_layer
#include "session.hpp"    // session

#include <stg/data/npy.hpp>            // write_npy
#include <stg/runtime/cuda/block.hpp>  // block

#include <algorithm>   // min
#include <cmath>       // sqrt
#include <filesystem>  // create_directories

namespace device_bench {

/// Rows of a (vertices, …) array for the peers to compare with: row 7919 k mod n, k from 0 to 1023.
inline stg::tensor<float> sampled_rows(const stg::tensor<float>& t) {
  const std::int64_t n = t.extent(0), width = t.size() / n, rows = std::min<std::int64_t>(1024, n);
  auto s = stg::tensor<float>::for_overwrite({rows, width});
  for (std::int64_t k = 0; k < rows; ++k) std::copy_n(t.data() + 7919 * k % n * width, width, s.data() + k * width);
  return s;
}

template <int Heads, int Dim> void measure_gat(const subject& on, const session& to) {
  using layer = gat_of<Heads, Dim>;
  const std::string size = on.name + ":" + std::to_string(Heads) + "x" + std::to_string(Dim);
  if (!to.wants("gat:" + size + ":forward") && !to.wants("gat:" + size + ":both")) return;
  constexpr std::int64_t width = Heads * Dim;
  const std::int64_t n = on.graph.vertices();
  // seeds and scales as in peer.py; weights such that rows of h are as large as those of x
  const gat_inputs in{numbers({n, width}, 1), numbers({width, width}, 2, std::sqrt(12.0f / width)),
                      numbers({Heads, Dim}, 3), numbers({Heads, Dim}, 4), numbers({n, Heads, Dim}, 5)};
  const gat_results expected = gat_layer(on.graph, in);
  const auto x = in.x.to(place), W = in.W.to(place), a_src = in.a_src.to(place), a_dst = in.a_dst.to(place),
             cotangent = in.cotangent.to(place);
  const auto with_inputs = [&](const auto& call) {
    return call(on.there, layer::x = x, layer::W = W, layer::a_src = a_src, layer::a_dst = a_dst);
  };
  const auto finish = [&](case_record& record, const std::function<void()>& run,
                          std::vector<std::pair<std::string, double>> facts) {
    const std::string wrong = disagreement(record.checks);
    if (wrong.empty()) record.entries = to.in_turn({{"stg", "stg", run, std::move(facts)}});
    else record.entries = {{"stg", "stg", {}, {}, wrong}};
  };

  to.run("gat:" + size + ":forward", on, [&](case_record& record) {
    const auto model = compiled<layer::layer>();
    auto out = with_inputs([&](const auto&... args) { return model(args...); });
    record.checks = {{"out", largest_difference(out.to(stg::host), expected.out), 1e-4}};
    finish(record, [&] { with_inputs([&](const auto&... args) { return model.into(out, args...); }); }, {});
  });
  to.run("gat:" + size + ":both", on, [&](case_record& record) {
    auto trainer = compiled_for_training<layer::layer>();
    const auto call = [&](const auto& use) {
      auto tape = with_inputs([&](const auto&... args) { return trainer.record(args...); });
      const auto gradients = tape.backward(cotangent);
      use(tape, gradients);
    };
    const auto before = static_cast<double>(stg::gpu::block::total_allocated());
    double planned = 0;
    call([&](auto& tape, const auto& gradients) {
      planned = static_cast<double>(tape.bytes());
      const auto out = tape.output().to(stg::host), d_x = gradients[layer::x].to(stg::host),
                 d_W = gradients[layer::W].to(stg::host), d_src = gradients[layer::a_src].to(stg::host),
                 d_dst = gradients[layer::a_dst].to(stg::host);
      record.checks = {
          {"out", largest_difference(out, expected.out), 1e-4},
          {"gradient of x", overall_difference(d_x, expected.x), 1e-4 + expected.undecided.x},
          {"gradient of W", overall_difference(d_W, expected.W), 1e-4 + expected.undecided.W},
          {"gradient of a_src", overall_difference(d_src, expected.a_src), 1e-4 + expected.undecided.a_src},
          {"gradient of a_dst", overall_difference(d_dst, expected.a_dst), 1e-4 + expected.undecided.a_dst}};
      if (to.exchange.empty()) return;
      const std::filesystem::path folder = std::filesystem::path(to.exchange) /
                                           ("gat_" + on.name + "_" + std::to_string(Heads) + "x" + std::to_string(Dim));
      std::filesystem::create_directories(folder);
      const auto write = [&](const char* name, const stg::tensor<float>& t) {
        stg::write_npy((folder / name).string(), t);
      };
      write("out.npy", sampled_rows(out));
      write("x.npy", sampled_rows(d_x));
      write("W.npy", d_W);
      write("a_src.npy", d_src);
      write("a_dst.npy", d_dst);
      const double limits[] = {1e-4, 1e-4 + expected.undecided.x, 1e-4 + expected.undecided.W,
                               1e-4 + expected.undecided.a_src, 1e-4 + expected.undecided.a_dst};
      stg::write_npy((folder / "limits.npy").string(), stg::tensor<double>::from({5}, std::span<const double>(limits)));
    });
    const double allocated = static_cast<double>(stg::gpu::block::total_allocated()) - before;
    finish(record, [&] { call([](auto&, const auto&) {}); },
           {{"planned_bytes", planned}, {"allocated_bytes", allocated}});
  });
}

extern template void measure_gat<8, 8>(const subject&, const session&);
extern template void measure_gat<4, 64>(const subject&, const session&);
extern template void measure_gat<1, 128>(const subject&, const session&);

}  // namespace device_bench
