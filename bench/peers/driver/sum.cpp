// The weighted sum of neighbours: a weight per edge times the source's row; the gradient is that of the rows.
#include "layer.hpp"  // layer_work

#include <stg/runtime/probe.hpp>  // gather

namespace peers {
namespace {

template <int Width> struct of_width {
  static constexpr auto x = stg::trainable(stg::vertex_feature<"x", Width>);
  static constexpr auto w = stg::edge_feature<"w">;
  static constexpr auto weighted_sum = [](auto v) {
    auto e = v.in_edges();
    return sum(e(w) * e.src(x));  // (Width)
  };
};

/// Passes of the probe at the distance that was best when it was made.
class floor_work final : public work {
 public:
  floor_work(const stg::graph& g, std::int64_t width) : floor_(g, width) {
    double least = floor_.read(0);
    for (int pass = 0; pass < 4; ++pass)
      for (int distance : stg::probe::gather::distances)
        if (const double seconds = floor_.read(distance); seconds < least) least = seconds, distance_ = distance;
  }
  void run() override {
    floor_.read(distance_);
    floor_.write();
  }
  void write_results(const std::string&) override {}
  std::int64_t planned_bytes() const override { return 0; }
  std::int64_t result_bytes() const override { return 0; }

 private:
  stg::probe::gather floor_;
  int distance_ = 0;
};

template <int Width> std::unique_ptr<work> make_sum_of(const case_name& which, const inputs& in) {
  using layer = of_width<Width>;
  const std::int64_t n = in.graph.vertices(), m = in.graph.edges();
  auto X = std::make_shared<stg::tensor<float>>(in.normal("x", {n, Width}, 1));
  auto weights = in.graph.edge_values(in.normal("w", {m}, 2));
  auto W = std::make_shared<stg::edge_values<float>>(std::move(weights));
  auto bind = [graph = in.graph, X, W](auto call) { return call(graph, layer::x = *X, layer::w = *W); };
  const auto planned = stg::peak_bytes<layer::weighted_sum>({.vertices = n, .edges = m});
  return layer_work(which.pass, stg::compile<layer::weighted_sum>(), stg::compile_for_training<layer::weighted_sum>(),
                    planned.inference, in.normal("cotangent", {n, Width}, 3), std::move(bind));
}

}  // namespace

std::unique_ptr<work> make_floor(const case_name& which, const inputs& in) {
  return std::make_unique<floor_work>(in.graph, std::stoll(which.size));
}

std::unique_ptr<work> make_sum(const case_name& which, const inputs& in) {
  switch (std::stoi(which.size)) {
    case 64:
      return make_sum_of<64>(which, in);
    case 96:
      return make_sum_of<96>(which, in);
    case 100:
      return make_sum_of<100>(which, in);
    case 112:
      return make_sum_of<112>(which, in);
    case 128:
      return make_sum_of<128>(which, in);
    default:
      throw stg::error("weighted sum: no kernel of width " + which.size + "; take 64, 96, 100, 112 or 128");
  }
}

}  // namespace peers
