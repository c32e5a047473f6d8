// test: draft layers
// Weights of PyTorch Geometric's layers: what they give in nn/, and the way back.
#include "../weights/cells.hpp"         // compare_gconv_lstm
#include "../weights/convolutions.hpp"  // compare_gcn
#include "../weights/round_trip.hpp"    // each_case

#include <stg/data/karate.hpp>  // karate_club

#include <gtest/gtest.h>  // TEST

#include <set>  // set

#include "expect_error.hpp"      // expect_error
#include "temporary_folder.hpp"  // temporary_folder

namespace stg::test {
namespace {

const std::string written_by_peers = STG_GOLDEN_DIR "/../weights/pyg.safetensors";

// A sample of what `make peers-weights` compares.
TEST(pyg_weights, give_what_they_give_in_pyg) {
  peer p(written_by_peers);
  convolutions::compare_gcn(p);
  convolutions::compare_gat_of_edges(p);
  convolutions::compare_gin(p);
  cells::compare_gconv_lstm(p);
  ASSERT_EQ(p.differences.size(), 4u);
  for (const auto& [name, apart] : p.differences) EXPECT_LE(apart, 1e-5) << name;
}

inline constexpr auto one_hot = vertex_feature<"one_hot", 34>;
inline constexpr auto W1 = parameter<"W1", 34, 16>;
inline constexpr auto b1 = parameter<"b1", 16>;
inline constexpr auto W2 = parameter<"W2", 16, 4>;
inline constexpr auto b2 = parameter<"b2", 4>;
inline constexpr auto gcn = [](auto v) { return nn::gcn_conv(v, relu(nn::gcn_conv(v, v(one_hot), W1) + b1), W2) + b2; };

// The page's, docs/interop.md, trained by `pyg_weights.py train`.
TEST(pyg_weights, of_a_trained_model_give_its_logits) {
  const safetensors_file file(STG_GOLDEN_DIR "/../weights/gcn.safetensors");
  const auto conv1 = pyg::gcn_conv(file, "conv1"), conv2 = pyg::gcn_conv(file, "conv2");
  const auto club = karate_club();
  const auto y = compile<gcn>()(club.graph.add_self_loops(), one_hot = club.features, W1 = conv1.W, b1 = conv1.bias,
                                W2 = conv2.W, b2 = conv2.bias);
  const auto expected = file.read<float>("logits");
  ASSERT_EQ(y.shape(), expected.shape());
  for (std::int64_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y.data()[i], expected.data()[i], 1e-5);
}

/// Tensors of a layer by name, but for counts of batches, which nn/ does not have.
std::set<std::string> names_of(const safetensors_file& file, const std::string& layer) {
  std::set<std::string> all;
  for (const auto& t : file.tensors())
    if (t.name.starts_with(layer + '.') && !t.name.ends_with("num_batches_tracked")) all.insert(t.name);
  return all;
}

/// Layers of which some tensors are added up, so that others come back.
const std::set<std::string> joined{"res_gated_conv_edges",
                                   "set2set",
                                   "jumping_knowledge_lstm",
                                   "lstm",
                                   "tgcn",
                                   "gconv_gru",
                                   "gconv_lstm",
                                   "gc_lstm",
                                   "lrgcn",
                                   "dygr_encoder",
                                   "mpnn_lstm"};

TEST(pyg_weights, go_back_under_the_names_of_pyg) {
  const temporary_folder folder;
  const safetensors_file there(written_by_peers);
  std::set<std::string> layers, all;
  each_case([&](const std::string& name, const auto& copy) {
    SCOPED_TRACE(name);
    safetensors_writer once(folder.file("once.safetensors")), twice(folder.file("twice.safetensors"));
    copy(there, once);
    once.put_in_place();
    const safetensors_file first(once.path());
    EXPECT_EQ(names_of(first, name), names_of(there, name));
    copy(first, twice);
    twice.put_in_place();
    const safetensors_file second(twice.path());
    std::size_t others = 0;
    for (const auto& t : first.tensors()) {
      EXPECT_EQ(t.shape, there.at(t.name).shape) << t.name;
      EXPECT_EQ(first.bytes(t.name), second.bytes(t.name)) << t.name;
      others += first.bytes(t.name) != there.bytes(t.name);
    }
    EXPECT_EQ(others > 0, joined.contains(name)) << others << " tensors come back as others";
    layers.insert(name);
  });
  for (const auto& t : there.tensors())
    if (const auto dot = t.name.find('.'); dot != std::string::npos) all.insert(t.name.substr(0, dot));
  EXPECT_EQ(layers, all) << "every layer of the file";
}

TEST(pyg_weights, that_are_missing_or_have_another_shape_are_told) {
  const temporary_folder folder;
  const tensor<float> W({6, 4}), b({5}), three({3, 3, 3});
  safetensors_writer writer(folder.file("a.safetensors"));
  writer.write("a.lin.weight", W);
  writer.write("b.lin.weight", W);
  writer.write("b.bias", b);
  writer.write("c.lin.weight", three);
  writer.write("d.lin_src.weight", W);
  writer.put_in_place();
  const safetensors_file file(writer.path());
  EXPECT_EQ(pyg::gcn_conv(file, "a").bias.shape(), dimensions({6})) << "zeros where there is none";
  EXPECT_EQ(pyg::gcn_conv(file, "a").W.shape(), dimensions({4, 6}));
  expect_error([&] { pyg::gcn_conv(file, "none"); }, {"a.safetensors has no tensor \"none.lin.weight\""});
  expect_error([&] { pyg::gcn_conv(file, "b"); }, {"tensor \"b.bias\" has shape (5,); expected (6,)"});
  expect_error([&] { pyg::gcn_conv(file, "c"); }, {"tensor \"c.lin.weight\" has shape (3, 3, 3); expected a matrix"});
  expect_error([&] { pyg::gat_conv(file, "d"); }, {"expected a GATConv of one kind of vertices"});
  expect_error([&] { pyg::gin_conv(file, "a"); }, {"a.nn.0.weight", "is missing"});
  expect_error([&] { pyg::hgt_conv(file, "a", {}); }, {"relations"});
  expect_error([&] { pyg::rgcn_conv(file, "c"); }, {"\"c.root\""});
  expect_error(
      [&] {
        nn::weights::tgcn mixed;
        mixed.W = tensor<float>({4, 6});
        mixed.F = tensor<float>::full({6, 6}, 1);
        mixed.S = tensor<float>({2, 4});
        mixed.N = tensor<float>({2, 2});
        mixed.bias = tensor<float>({6});
        safetensors_writer to(folder.file("b.safetensors"));
        nn::to_pyg::tgcn(to, "cell", mixed);
      },
      {"has no place for F", "TGCN keeps gates apart"});
}

}  // namespace
}  // namespace stg::test
