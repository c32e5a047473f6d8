// test: draft programs_at_run_time
// GCN and GAT of the papers on Cora, saved and loaded: predictions and steps of training are the draft's, to the bit.
#include <stg/data/dataset.hpp>  // load_node_classification
#include <stg/saved_model.hpp>   // save_model, load_model
#include <stg/stg.hpp>           // the language

#include "temporary_folder.hpp"  // temporary_folder

#include <gtest/gtest.h>  // TEST_F

#include <cstring>   // memcmp
#include <iostream>  // cerr
#include <string>    // string
#include <variant>   // get

namespace stg {
namespace {

constexpr auto x = sparse_feature<"x", extent<"F">>;
constexpr auto label = vertex_feature<"label", i32>;
constexpr auto known = vertex_feature<"known", boolean>;

constexpr auto W1 = parameter<"W1", extent<"F">, 16>;
constexpr auto b1 = parameter<"b1", 16>;
constexpr auto W2 = parameter<"W2", 16, extent<"C">>;
constexpr auto b2 = parameter<"b2", extent<"C">>;
constexpr auto gcn = [](auto v) {
  auto h = relu(nn::gcn_conv(v, dropout(v(x), 0.5), W1) + b1);
  return nn::gcn_conv(v, dropout(h, 0.5), W2) + b2;
};
constexpr auto gcn_loss = [](auto v) { return cross_entropy(gcn(v), v(label), v(known)); };

constexpr auto V1 = parameter<"V1", extent<"F">, 64>;
constexpr auto a_src1 = parameter<"a_src1", 8, 8>;
constexpr auto a_dst1 = parameter<"a_dst1", 8, 8>;
constexpr auto c1 = parameter<"c1", 64>;
constexpr auto V2 = parameter<"V2", 64, extent<"C">>;
constexpr auto a_src2 = parameter<"a_src2", 1, extent<"C">>;
constexpr auto a_dst2 = parameter<"a_dst2", 1, extent<"C">>;
constexpr auto gat = [](auto v) {
  auto heads = nn::gat_conv(v, dropout(v(x), 0.6), V1, a_src1, a_dst1, 0.6);
  auto h = elu(reshape<64>(heads) + c1);
  return mean(nn::gat_conv(v, dropout(h, 0.6), V2, a_src2, a_dst2, 0.6), axis<0>) + b2;
};
constexpr auto gat_loss = [](auto v) { return cross_entropy(gat(v), v(label), v(known)); };

void expect_same_bits(const any_tensor& found, const const_tensor<float>& expected) {
  const auto& y = std::get<tensor<float>>(found);
  ASSERT_EQ(y.shape(), expected.shape());
  ASSERT_GT(y.size(), 0);
  EXPECT_EQ(std::memcmp(y.data(), expected.data(), static_cast<std::size_t>(y.bytes())), 0);
}

class saved_models_of_cora : public testing::Test {
 protected:
  void SetUp() override {
    try {
      data = load_node_classification("cora");
    } catch (const dataset_not_found& where) {
      std::cerr << "\n**** cora IS NOT HERE: saved models are NOT tested on it. " << where.what() << '\n';
      GTEST_SKIP() << "set STG_DATA_DIR to the folder that holds cora/";
    }
    ASSERT_EQ(data.features.extent(0), 2708);
    normalize_rows(data.features);
    data.graph = data.graph.add_self_loops();
  }

  template <const auto& Model, const auto& Loss> void expect_same_model() {
    auto weights = parameters<Loss>(sized<"F">(data.features.extent(1)), sized<"C">(data.classes));
    initialize(weights, 4);
    save_model<Model>(folder.file("model"), weights);
    save_model<Loss>(folder.file("loss"), weights);
    const loaded_model model = load_model(folder.file("model"));
    loaded_model loss = load_model(folder.file("loss"));
    const auto features = sparse(data.features);
    auto step = value_and_grad<Loss>(draft());
    step.seed(9);
    loss.seed(9);
    const auto now = step(data.graph, x = features, label = data.labels, known = data.train, weights);
    const auto found = loss.step(data.graph, x = features, label = data.labels, known = data.train);
    EXPECT_EQ(found.loss, static_cast<double>(now.loss));
    EXPECT_GT(found.loss, 1);  // of seven classes by weights as they begin, not of none
    std::size_t count = 0;
    for_each(now.gradients, [&](std::string_view name, const auto& gradient) {
      SCOPED_TRACE(std::string(name));
      expect_same_bits(found.gradients.at(std::string(name)), gradient);
      ++count;
    });
    EXPECT_EQ(found.gradients.size(), count);
    SCOPED_TRACE("predictions");
    expect_same_bits(model(data.graph, x = features)[0], compile<Model>(draft())(data.graph, x = features, weights));
  }

  node_classification data;
  test::temporary_folder folder;
};

TEST_F(saved_models_of_cora, convolutions) { expect_same_model<gcn, gcn_loss>(); }
TEST_F(saved_models_of_cora, attention) { expect_same_model<gat, gat_loss>(); }

}  // namespace
}  // namespace stg
