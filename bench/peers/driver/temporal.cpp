// Epochs of recurrent cells over a graph, all steps in one gradient, with the parameters that PyTorch Geometric
// Temporal's cells have.
#include "../../drawn_steps.hpp"  // drawn_steps
#include "training.hpp"           // bound_work, training_work

#include <stg/base/error.hpp>              // error
#include <stg/data/npy.hpp>                // write_npy
#include <stg/data/search.hpp>             // find_dataset
#include <stg/data/temporal.hpp>           // read_graph_signal_folder
#include <stg/runtime/graph_sequence.hpp>  // graph_sequence
#include <stg/stg.hpp>                     // value_and_grad, adam

#include <algorithm>    // copy
#include <type_traits>  // integral_constant
#include <utility>      // move

namespace peers {
namespace {

// ---- programs ----

template <int F> inline constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", F>);
inline constexpr auto y = stg::over<"T">(stg::vertex_feature<"y">);
inline constexpr auto w = stg::over<"T">(stg::edge_feature<"w">);
template <int H> inline constexpr auto R = stg::parameter<"R", H, 1>;

// Of a TGCN for each gate, reset, update and new: a convolution W, c, and a product of what it gives and of the state.
template <int F, int H> inline constexpr auto W_r = stg::parameter<"W_r", F, H>;
template <int F, int H> inline constexpr auto W_z = stg::parameter<"W_z", F, H>;
template <int F, int H> inline constexpr auto W_n = stg::parameter<"W_n", F, H>;
template <int H> inline constexpr auto c_r = stg::parameter<"c_r", 1, H>;
template <int H> inline constexpr auto c_z = stg::parameter<"c_z", 1, H>;
template <int H> inline constexpr auto c_n = stg::parameter<"c_n", 1, H>;
template <int H> inline constexpr auto I_r = stg::parameter<"I_r", H, H>;
template <int H> inline constexpr auto I_z = stg::parameter<"I_z", H, H>;
template <int H> inline constexpr auto I_n = stg::parameter<"I_n", H, H>;
template <int H> inline constexpr auto l_r = stg::parameter<"l_r", 1, H>;
template <int H> inline constexpr auto l_z = stg::parameter<"l_z", 1, H>;
template <int H> inline constexpr auto l_n = stg::parameter<"l_n", 1, H>;
template <int H> inline constexpr auto U_r = stg::parameter<"U_r", H, H>;
template <int H> inline constexpr auto U_z = stg::parameter<"U_z", H, H>;
template <int H> inline constexpr auto U_n = stg::parameter<"U_n", H, H>;

// Of a GConvGRU, whose filters have two terms: those of the input as above, and of the state.
template <int F, int H> inline constexpr auto V_r = stg::parameter<"V_r", F, H>;
template <int F, int H> inline constexpr auto V_z = stg::parameter<"V_z", F, H>;
template <int F, int H> inline constexpr auto V_n = stg::parameter<"V_n", F, H>;

template <class A, class B> constexpr auto beside(A a, B b) { return concat<stg::axis<1>>(a, b); }
template <class A, class B, class C> constexpr auto beside(A a, B b, C c) { return beside(beside(a, b), c); }

/// A convolution and the product of what it gives are one convolution, whose weights are computed once.
template <int F, int H>
inline constexpr auto tgcn = [](auto v, auto weighted) {
  auto W = beside(matmul(v(W_r<F, H>), I_r<H>), matmul(v(W_z<F, H>), I_z<H>), matmul(v(W_n<F, H>), I_n<H>));
  auto b = beside(matmul(v(c_r<H>), I_r<H>) + l_r<H>, matmul(v(c_z<H>), I_z<H>) + l_z<H>,
                  matmul(v(c_n<H>), I_n<H>) + l_n<H>);
  auto convolve = [=](auto v, auto in) {
    return matmul(stg::nn::gcn_conv(weighted(v), in, [](auto own) { return own; }), W);
  };
  auto as_given = [](auto given) { return given; };
  return stg::nn::tgcn{convolve, as_given, beside(v(U_r<H>), v(U_z<H>)), v(U_n<H>), stg::reshape<3 * H>(b)};
};
template <int F, int H>
inline constexpr auto gconv_gru = [](auto v, auto) {
  return stg::nn::gconv_gru{stg::nn::chebyshev{beside(v(W_r<F, H>), v(W_z<F, H>), v(W_n<F, H>)),
                                               beside(v(V_r<F, H>), v(V_z<F, H>), v(V_n<F, H>))},
                            stg::nn::chebyshev{beside(v(I_r<H>), v(I_z<H>)), beside(v(U_r<H>), v(U_z<H>))},
                            stg::nn::chebyshev{v(I_n<H>), v(U_n<H>)},
                            stg::reshape<3 * H>(beside(v(c_r<H>), v(c_z<H>), v(c_n<H>)))};
};

constexpr auto unweighted = [](auto v) { return v; };
constexpr auto by_weight = [](auto v) { return stg::nn::weighted(v, w); };

/// A state goes through all steps; each has an error, and the loss is their mean.
template <const auto& Cell, int F, int H, const auto& Weighted>
inline constexpr auto loss = [](auto v) {
  auto cell = Cell(v, Weighted);
  auto errors = std::get<1>(stg::scan<"T">(
      v,
      [=](auto v, auto h) {
        auto n = cell(v, v(x<F>), h);
        return stg::next(n).gives(mse(sum(matmul(n, R<H>), stg::axis<0>), v(y)));
      },
      stg::zeros<H>(v)));
  return mean(stg::stacked(errors), stg::axis<0>);
};

// ---- cases ----

/// A signal over one graph.
struct static_signal {
  stg::graph graph;
  stg::tensor<float> x, y;  // (T, vertices, lags), (T, vertices)
};

/// Four weeks of chickenpox in Hungary's counties, and the one that follows them.
static_signal chickenpox() {
  const std::string folder = stg::find_dataset("chickenpox").folder;
  if (folder.empty()) throw stg::error("chickenpox is not there; set STG_DATA_DIR");
  const stg::graph_signal data = stg::read_graph_signal_folder(folder);
  constexpr std::int64_t lags = 4;
  const std::int64_t T = data.signal.extent(0) - lags, V = data.vertices;
  static_signal s{stg::graph::from_edges(V, data.edges.src, data.edges.dst), stg::tensor<float>({T, V, lags}),
                  stg::tensor<float>({T, V})};
  for (std::int64_t t = 0; t < T; ++t)
    for (std::int64_t v = 0; v < V; ++v) {
      for (std::int64_t k = 0; k < lags; ++k)
        s.x.data()[(t * V + v) * lags + k] = static_cast<float>(data.signal.data()[(t + k) * V + v]);
      s.y.data()[t * V + v] = static_cast<float>(data.signal.data()[(t + lags) * V + v]);
    }
  return s;
}
/// The shape of WikiMaths: 1,068 vertices, 27,078 edges, each with its other direction, and so many steps of 8 lags.
static_signal wikimaths_like(const inputs& in, std::int64_t T) {
  drawn_steps::drawn random;
  constexpr std::int64_t V = 1068, edges = 27'078;
  std::vector<std::int64_t> src, dst;
  while (static_cast<std::int64_t>(src.size()) < edges) {
    const std::int64_t a = random.below(V), b = random.below(V);
    if (a == b) continue;
    src.insert(src.end(), {a, b});
    dst.insert(dst.end(), {b, a});
  }
  return {stg::graph::from_edges(V, src, dst), in.normal("x", {T, V, 8}, 1), in.normal("y", {T, V}, 2)};
}

void keep_graph(const inputs& in, const stg::graph& g) {
  const stg::edge_list edges = g.edge_list();
  in.keep("src", stg::tensor<std::int32_t>::from({g.edges()}, std::span<const std::int32_t>(edges.src)));
  in.keep("dst", stg::tensor<std::int32_t>::from({g.edges()}, std::span<const std::int32_t>(edges.dst)));
}

template <const auto& Loss, int F> std::unique_ptr<work> make_static(const inputs& in, static_signal s) {
  const auto data = std::make_shared<static_signal>(std::move(s));
  keep_graph(in, data->graph);
  in.keep("x", data->x);
  in.keep("y", data->y);
  data->graph.prepare();
  const auto bind = [data](auto call) { return call(data->graph, x<F> = data->x, y = data->y); };
  return std::make_unique<bound_work<Loss, decltype(bind)>>(in, bind);
}

// ---- batches of windows ----

constexpr std::int64_t windows = 32, steps_of_window = 12, batches = 4;

inline constexpr auto seen = stg::over<"T">(stg::vertex_feature<"x", windows, 2>);  // speed, and the time of day
inline constexpr auto ahead = stg::vertex_feature<"y", windows, 12>;
inline constexpr auto forecast = stg::parameter<"R", 32, 12>;

/// What a window of twelve steps leaves foretells the next twelve.
inline constexpr auto window_loss = [](auto v) {
  auto cell = tgcn<2, 32>(v, unweighted);
  auto h = stg::scan<"T">(
      v, [=](auto v, auto h) { return cell(v, v(seen), h); }, stg::zeros<windows, 32>(v));
  return mse(matmul(h, v(forecast)), v(ahead));
};

/// Four batches of windows of METR-LA, one after the other: a step of Adam for each.
class window_work final : public training_work<window_loss, decltype(stg::parameters<window_loss>())> {
 public:
  explicit window_work(const inputs& in)
      : training_work(in, stg::parameters<window_loss>(), stg::parameters<window_loss>()) {
    const std::string folder = stg::find_dataset("metr_la").folder;
    if (folder.empty()) throw stg::error("metr_la is not there; set STG_DATA_DIR");
    const stg::graph_signal data = stg::read_graph_signal_folder(folder);
    graph_ = stg::graph::from_edges(data.vertices, data.edges.src, data.edges.dst).add_remaining_self_loops();
    graph_.prepare();
    keep_graph(in, graph_);
    const std::int64_t V = data.vertices, begins = data.signal.extent(0) - 2 * steps_of_window;
    stg::tensor<float> all_x({batches, steps_of_window, V, windows, 2}), all_y({batches, V, windows, 12});
    drawn_steps::drawn random;
    for (std::int64_t k = 0; k < batches; ++k)
      for (std::int64_t b = 0; b < windows; ++b) {
        const std::int64_t first = random.below(begins);
        const auto speed = [&](std::int64_t t, std::int64_t v) {
          return static_cast<float>(data.signal.data()[(first + t) * V + v] / 60 - 1);
        };
        for (std::int64_t v = 0; v < V; ++v)
          for (std::int64_t t = 0; t < steps_of_window; ++t) {
            float* const x = all_x.data() + (((k * steps_of_window + t) * V + v) * windows + b) * 2;
            x[0] = speed(t, v);
            x[1] = static_cast<float>((first + t) % 288) / 288;
            all_y.data()[((k * V + v) * windows + b) * 12 + t] = speed(steps_of_window + t, v);
          }
      }
    in.keep("x", all_x);
    in.keep("y", all_y);
    for (std::int64_t k = 0; k < batches; ++k) x_.push_back(all_x.row(k).clone()), y_.push_back(all_y.row(k).clone());
  }
  auto gradient(std::size_t k) { return step_(graph_, seen = x_[k], ahead = y_[k], parameters_); }
  void run() override {
    for (std::size_t k = 0; k < x_.size(); ++k) optimizer_.step(gradient(k).gradients);
  }
  void write_results(const std::string& folder) override {
    restart();
    auto now = gradient(0);
    stg::write_npy(folder + "/loss.npy", stg::tensor<float>::full({1}, now.loss));
    write(folder, now.gradients);
  }

 private:
  stg::graph graph_;
  std::vector<stg::tensor<float>> x_, y_;  // of each batch
};

// ---- graphs that change ----

/// Edges of all steps, each of them of as many.
void keep_edges(const inputs& in, const std::vector<stg::snapshot_edges>& all) {
  const stg::dimensions shape{static_cast<std::int64_t>(all.size()), drawn_steps::edges};
  stg::tensor<std::int32_t> src(shape), dst(shape);
  stg::tensor<float> weight(shape);
  std::int64_t at = 0;
  for (const stg::snapshot_edges& step : all)
    for (std::size_t e = 0; e < step.src.size(); ++e, ++at) {
      src.data()[at] = static_cast<std::int32_t>(step.src[e]);
      dst.data()[at] = static_cast<std::int32_t>(step.dst[e]);
      weight.data()[at] = static_cast<float>(step.weights[e]);
    }
  in.keep("src", src);
  in.keep("dst", dst);
  in.keep("w", weight);
}

/// Snapshots of a graph of which 5 % of the edges change at each step, from either store.
std::unique_ptr<work> make_changing(const inputs& in, const std::string& variant, std::int64_t T) {
  struct steps {
    stg::graph_sequence graphs;
    stg::tensor<float> x, y;
  };
  auto all = drawn_steps::all();
  all.resize(static_cast<std::size_t>(T));
  const auto store = variant == "changes" ? stg::snapshot_store::changes : stg::snapshot_store::resident;
  const auto data = std::make_shared<steps>(
      steps{stg::graph_sequence::from_steps(drawn_steps::vertices, all, {.store = store}),
            in.normal("x", {T, drawn_steps::vertices, 32}, 1), in.normal("y", {T, drawn_steps::vertices}, 2)});
  keep_edges(in, all);
  const auto bind = [data](auto call) {
    return call(data->graphs, x<32> = data->x, y = data->y, w = data->graphs.weights());
  };
  return std::make_unique<bound_work<loss<tgcn<32, 64>, 32, 64, by_weight>, decltype(bind)>>(in, bind);
}

}  // namespace

std::unique_ptr<work> make_temporal(const case_name& which, const inputs& in, const std::string& variant) {
  if (which.graph == "changing") return make_changing(in, variant, drawn_steps::steps);
  if (which.graph == "changing_week") return make_changing(in, variant, 7);
  if (which.graph == "metr_la") return std::make_unique<window_work>(in);
  const bool is_tgcn = which.kind == "tgcn";
  if (which.graph == "chickenpox") {
    static_signal s = chickenpox();
    if (is_tgcn) {
      s.graph = s.graph.add_remaining_self_loops();
      return make_static<loss<tgcn<4, 32>, 4, 32, unweighted>, 4>(in, std::move(s));
    }
    s.graph = s.graph.remove_self_loops();
    return make_static<loss<gconv_gru<4, 32>, 4, 32, unweighted>, 4>(in, std::move(s));
  }
  static_signal s = wikimaths_like(in, which.graph == "wikimaths_like" ? 723 : 60);
  if (!is_tgcn) return make_static<loss<gconv_gru<8, 32>, 8, 32, unweighted>, 8>(in, std::move(s));
  s.graph = s.graph.add_self_loops();
  return make_static<loss<tgcn<8, 32>, 8, 32, unweighted>, 8>(in, std::move(s));
}

}  // namespace peers
