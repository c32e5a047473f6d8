// The weighted sum of neighbours: a weight per edge times the source's row; the gradient is that of the rows.
#include "layer.hpp"  // layer_work

#include <stg/runtime/probe.hpp>  // gather

namespace peers {
namespace {

inline constexpr auto x = stg::trainable(stg::vertex_feature<"x", stg::extent<"F">>);
inline constexpr auto w = stg::edge_feature<"w">;
inline constexpr auto weighted_sum = [](auto v) {
  auto e = v.in_edges();
  return sum(e(w) * e.src(x));  // (F)
};

/// Passes of the probe at the distance that was best when it was made.
class floor_work final : public work {
 public:
  floor_work(const stg::graph& g, std::int64_t width) : floor_(g, width) {
    double least = floor_.read(0);
    for (int pass = 0; pass < 4; ++pass)
      for (int ahead : stg::probe::gather::distances)
        if (const double seconds = floor_.read(ahead); seconds < least) least = seconds, ahead_ = ahead;
  }
  void run() override {
    floor_.read(ahead_);
    floor_.write();
  }
  void write_results(const std::string&) override {}
  std::int64_t planned_bytes() const override { return 0; }
  std::int64_t result_bytes() const override { return 0; }

 private:
  stg::probe::gather floor_;
  int ahead_ = 0;
};

}  // namespace

std::unique_ptr<work> make_floor(const case_name& which, const inputs& in) {
  return std::make_unique<floor_work>(in.graph, std::stoll(which.size));
}

std::unique_ptr<work> make_sum(const case_name& which, const inputs& in) {
  const std::int64_t n = in.graph.vertices(), m = in.graph.edges(), width = std::stoll(which.size);
  auto X = std::make_shared<stg::tensor<float>>(in.normal("x", {n, width}, 1));
  auto weights = in.graph.edge_values(in.normal("w", {m}, 2));
  auto W = std::make_shared<stg::edge_values<float>>(std::move(weights));
  auto bind = [graph = in.graph, X, W](auto call) { return call(graph, x = *X, w = *W); };
  const auto planned = stg::peak_bytes<weighted_sum>({.vertices = n, .edges = m, .extents = {stg::sized<"F">(width)}});
  return layer_work(which.pass, stg::compile<weighted_sum>(), stg::compile_for_training<weighted_sum>(),
                    planned.inference, in.normal("cotangent", {n, width}, 3), std::move(bind));
}

}  // namespace peers
