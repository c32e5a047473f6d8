// Neighbours 15-10-5 of 1,024 seeds: drawing them, epochs of a GraphSAGE of three layers on what is drawn, and steps on
// batches that everybody is given.
#include "training.hpp"  // training_work

#include <stg/base/error.hpp>                  // error
#include <stg/data/npy.hpp>                    // write_npy
#include <stg/sampling/gather.hpp>             // gather
#include <stg/sampling/loader.hpp>             // loader
#include <stg/sampling/neighbour_sampler.hpp>  // neighbour_sampler
#include <stg/stg.hpp>                         // the language

#include <utility>  // move
#include <vector>   // vector

namespace peers {
namespace {

constexpr std::int64_t seeds_of_batch = 1024;
constexpr int classes = 40;

inline constexpr auto x = stg::vertex_feature<"x", 128>;
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto U1 = stg::parameter<"U1", 128, 128>;
inline constexpr auto V1 = stg::parameter<"V1", 128, 128>;
inline constexpr auto U2 = stg::parameter<"U2", 128, 128>;
inline constexpr auto V2 = stg::parameter<"V2", 128, 128>;
inline constexpr auto U3 = stg::parameter<"U3", 128, classes>;
inline constexpr auto V3 = stg::parameter<"V3", 128, classes>;
inline constexpr auto sage = [](auto v) {
  namespace nn = stg::nn;
  auto g = relu(nn::sage_conv(v, v(x), U1, V1));
  auto h = relu(nn::sage_conv(v, g, U2, V2));
  return nn::sage_conv(v, h, U3, V3);  // (40)
};
inline constexpr auto loss = [](auto v) { return cross_entropy(sage(v), v(label)); };

/// So many vertices, evenly over all ids, which are permuted.
std::vector<std::int32_t> seeds_of(const inputs& in, std::int64_t batches) {
  std::vector<std::int32_t> seeds(static_cast<std::size_t>(batches * seeds_of_batch));
  const std::int64_t apart = in.graph.vertices() / static_cast<std::int64_t>(seeds.size());
  for (std::size_t i = 0; i < seeds.size(); ++i)
    seeds[i] = static_cast<std::int32_t>(static_cast<std::int64_t>(i) * apart);
  in.keep("seeds", stg::tensor<std::int32_t>::from({batches * seeds_of_batch}, std::span<const std::int32_t>(seeds)));
  return seeds;
}
stg::neighbour_sampler sampler_of(const inputs& in) { return {in.graph, {.fan_outs = {15, 10, 5}}}; }

/// Batches of an epoch, and nothing done with them.
class drawing final : public work {
 public:
  drawing(const inputs& in, int threads)
      : graph_(in.graph),
        loader_(sampler_of(in), seeds_of(in, batches),
                {.batch_size = seeds_of_batch, .shuffle = false, .seed = 1, .ahead = 4, .threads = threads}) {}
  void run() override {
    edges_ = 0;
    for (const stg::loaded_batch& b : loader_.epoch(epoch_++)) edges_ += b.graph.edges();
  }
  /// What is drawn is random; how many neighbours a seed gets is not, nor that they are neighbours.
  void write_results(const std::string& folder) override {
    std::vector<float> taken;
    float foreign = 0;
    for (const stg::loaded_batch& b : loader_.epoch(epoch_++)) {
      for (std::int64_t v = 0; v < b.seeds; ++v) taken.push_back(static_cast<float>(b.graph.in_edges().degree(v)));
      const stg::edge_list edges = b.graph.edge_list();
      for (std::size_t e = 0; e < edges.src.size(); ++e) foreign += !is_edge(b, edges.src[e], edges.dst[e]);
    }
    stg::write_npy(folder + "/taken.npy", stg::tensor<float>::from({batches * seeds_of_batch}, taken));
    stg::write_npy(folder + "/foreign.npy", stg::tensor<float>::full({1}, foreign));
  }
  std::int64_t planned_bytes() const override { return 0; }
  std::int64_t result_bytes() const override { return 0; }
  std::int64_t edges() const override { return edges_; }

 private:
  static constexpr std::int64_t batches = 8;

  bool is_edge(const stg::batch& b, std::int32_t src, std::int32_t dst) const {
    const auto rows = graph_.in_edges();
    const std::int32_t from = b.vertices[static_cast<std::size_t>(src)];
    const std::int32_t to = b.vertices[static_cast<std::size_t>(dst)];
    for (auto k = rows.begin(to); k != rows.end(to); ++k)
      if (rows.neighbour(k) == from) return true;
    return false;
  }

  stg::graph graph_;
  stg::loader loader_;
  std::int64_t epoch_ = 0, edges_ = 0;
};

using parameters = decltype(stg::parameters<loss>());

/// Epochs over 4,096 seeds: each batch is drawn ahead on a thread of its own, and trained on.
class sage_epoch final : public training_work<loss, parameters> {
 public:
  explicit sage_epoch(const inputs& in)
      : training_work(in, stg::parameters<loss>(), stg::parameters<loss>()),
        graph_(in.graph),
        x_(in.normal("x", {in.graph.vertices(), 128}, 1)),
        label_(labels(in)),
        loader_(sampler_of(in), seeds_of(in, 4), {.batch_size = seeds_of_batch, .seed = 1, .ahead = 2, .threads = 1}),
        X_(loader_.rows(x_)),
        Y_(loader_.rows(label_)) {}
  void run() override {
    for (const stg::loaded_batch& b : loader_.epoch(epoch_++))
      optimizer_.step(step_(b.blocks(), x = b[X_], label = b[Y_], parameters_).gradients);
  }
  void write_results(const std::string& folder) override {
    restart();
    stg::write_npy(folder + "/logits.npy", stg::compile<sage>()(graph_, x = x_, parameters_));
  }
  static stg::tensor<std::int32_t> labels(const inputs& in) {
    stg::tensor<std::int32_t> made({in.graph.vertices()});
    for (std::int64_t v = 0; v < made.size(); ++v) made(v) = static_cast<std::int32_t>((v * 2654435761) % classes);
    in.keep("label", made);
    return made;
  }

 private:
  stg::graph graph_;
  stg::tensor<float> x_;
  stg::tensor<std::int32_t> label_;
  stg::loader loader_;
  stg::vertex_rows<float> X_;
  stg::vertex_rows<std::int32_t> Y_;
  std::int64_t epoch_ = 0;
};

/// Steps on four batches, each with its hops and its rows at hand.
class sage_steps final : public training_work<loss, parameters> {
  static constexpr std::int64_t batches = 4;
  struct given {
    stg::batch batch;
    stg::blocks blocks;
    stg::tensor<float> x;
    stg::tensor<std::int32_t> label;
  };

 public:
  explicit sage_steps(const inputs& in) : training_work(in, stg::parameters<loss>(), stg::parameters<loss>()) {
    const auto features = in.normal("x", {in.graph.vertices(), 128}, 1);
    const auto labels = sage_epoch::labels(in);
    const auto seeds = seeds_of(in, batches);
    const auto sampler = sampler_of(in);
    for (std::int64_t k = 0; k < batches; ++k) {
      stg::batch b = sampler.sample(std::span(seeds).subspan(static_cast<std::size_t>(k * seeds_of_batch),
                                                             static_cast<std::size_t>(seeds_of_batch)),
                                    static_cast<std::uint64_t>(k));
      keep(in, b, "_" + std::to_string(k));
      auto rows = stg::gather(features, b.vertices);
      auto known = stg::gather(labels, b.vertices);
      stg::blocks hops = b.blocks();
      given_.push_back({std::move(b), std::move(hops), std::move(rows), std::move(known)});
    }
  }
  auto gradient(const given& g) { return step_(g.blocks, x = g.x, label = g.label, parameters_); }
  void run() override {
    for (const given& g : given_) optimizer_.step(gradient(g).gradients);
  }
  void write_results(const std::string& folder) override {
    restart();
    auto now = gradient(given_[0]);
    stg::write_npy(folder + "/loss.npy", stg::tensor<float>::full({1}, now.loss));
    write(folder, now.gradients);
  }

 private:
  /// Edges in the order of the hops, and where each hop begins.
  static void keep(const inputs& in, const stg::batch& b, const std::string& suffix) {
    const stg::edge_list edges = b.graph.edge_list();
    const auto keep = [&](const std::string& name, const auto& values) {
      stg::tensor<std::int32_t> t({static_cast<std::int64_t>(values.size())});
      for (std::size_t i = 0; i < values.size(); ++i) t.data()[i] = static_cast<std::int32_t>(values[i]);
      in.keep(name + suffix, t);
    };
    keep("src", edges.src), keep("dst", edges.dst), keep("vertices", b.vertices);
    keep("vertex_offsets", b.vertex_offsets), keep("edge_offsets", b.edge_offsets);
  }

  std::vector<given> given_;
};

}  // namespace

std::unique_ptr<work> make_sampled(const case_name& which, const inputs& in, const std::string& variant) {
  if (which.kind == "sampling") return std::make_unique<drawing>(in, variant == "called" ? 0 : 2);
  if (which.size != "128") return nullptr;
  if (which.pass == "step") return std::make_unique<sage_steps>(in);
  return std::make_unique<sage_epoch>(in);
}

}  // namespace peers
