// test: draft programs_at_run_time
// Models in folders: what is loaded is called and trained as the draft of the program that was saved, to the bit.
#include <stg/data/checkpoint.hpp>  // save_parameters
#include <stg/saved_model.hpp>      // save_model, load_model
#include <stg/stg.hpp>              // the language

#include "expect_error.hpp"      // expect_error
#include "temporary_folder.hpp"  // temporary_folder

#include <gtest/gtest.h>  // TEST

#include <cstdint>     // int32_t
#include <cstring>     // memcmp
#include <filesystem>  // exists
#include <fstream>     // ifstream, ofstream
#include <iterator>    // istreambuf_iterator
#include <string>      // string
#include <variant>     // get

namespace stg {
namespace {

template <class T> void expect_same_bits(const any_tensor& found, const const_tensor<T>& expected) {
  const auto& y = std::get<tensor<T>>(found);
  ASSERT_EQ(y.shape(), expected.shape());
  EXPECT_EQ(std::memcmp(y.data(), expected.data(), static_cast<std::size_t>(y.bytes())), 0);
}
tensor<float> drawn(const dimensions& shape, int seed) {
  tensor<float> x(shape);
  for (std::int64_t k = 0; k < x.size(); ++k) x.data()[k] = static_cast<float>((k * 7 + seed * 13) % 17) / 17 - 0.4f;
  return x;
}
/// Gradients of a loaded loss are those of a draft's step.
template <class Step, class Weights>
void expect_same_step(const runnable_step::result& found, Step& now, const Weights&) {
  EXPECT_EQ(found.loss, static_cast<double>(now.loss));
  int count = 0;
  for_each(now.gradients, [&](std::string_view name, const auto& gradient) {
    SCOPED_TRACE(std::string(name));
    expect_same_bits<float>(found.gradients.at(std::string(name)), gradient);
    ++count;
  });
  EXPECT_EQ(static_cast<int>(found.gradients.size()), count);
}

const graph& ring() {
  static const graph g = graph::from_edges(6, {0, 1, 2, 3, 4, 5, 0, 3}, {1, 2, 3, 4, 5, 0, 3, 1});
  return g;
}
constexpr auto x = vertex_feature<"x", extent<"F">>;
constexpr auto label = vertex_feature<"label", i32>;
constexpr auto known = vertex_feature<"known", boolean>;
tensor<std::int32_t> labels() { return tensor<std::int32_t>::from({6}, {0, 1, 2, 2, 1, 0}); }
tensor<bool> mask() { return tensor<bool>::from({6}, {true, true, false, true, true, true}); }

// ---- GCN and GAT ----

constexpr auto W1 = parameter<"W1", extent<"F">, 8>;
constexpr auto b1 = parameter<"b1", 8>;
constexpr auto W2 = parameter<"W2", 8, extent<"C">>;
constexpr auto gcn = [](auto v) { return nn::gcn_conv(v, dropout(relu(nn::gcn_conv(v, v(x), W1) + b1), 0.3), W2); };
constexpr auto gcn_loss = [](auto v) { return cross_entropy(gcn(v), v(label), v(known)); };

constexpr auto Wa = parameter<"W", extent<"F">, 8>;
constexpr auto a_src = parameter<"a_src", 2, 4>;
constexpr auto a_dst = parameter<"a_dst", 2, 4>;
constexpr auto Wo = parameter<"Wo", 8, 3>;
constexpr auto gat = [](auto v) { return matmul(reshape<8>(elu(nn::gat_conv(v, v(x), Wa, a_src, a_dst, 0.2))), Wo); };
constexpr auto gat_loss = [](auto v) { return cross_entropy(gat(v), v(label), v(known)); };

template <const auto& Model, const auto& Loss, class Weights> void expect_same_model(Weights weights) {
  initialize(weights, 4);
  const test::temporary_folder folder;
  const auto features = drawn({6, 5}, 1);
  save_model<Model>(folder.file("model"), weights);
  save_model<Loss>(folder.file("loss"), weights);
  const loaded_model model = load_model(folder.file("model"));
  loaded_model loss = load_model(folder.file("loss"));
  EXPECT_EQ(model.program(), canonical<ref<Model>>::value.thaw());
  const auto expected = compile<Model>(draft())(ring(), x = features, weights);
  expect_same_bits<float>(model(ring(), x = features)[0], expected);
  expect_same_bits<float>(model(ring(), program_input("x", features))[0], expected);
  auto step = value_and_grad<Loss>(draft());
  step.seed(9);
  loss.seed(9);
  for (int k = 0; k < 3; ++k) {
    auto now = step(ring(), x = features, label = labels(), known = mask(), weights);
    const auto found = loss.step(ring(), x = features, label = labels(), known = mask());
    expect_same_step(found, now, weights);
    for_each(weights, [&](std::string_view name, auto& w) {  // and they go on together
      auto& mine = loss.parameter(name);
      const auto& g = std::get<tensor<float>>(found.gradients.at(std::string(name)));
      for (std::int64_t i = 0; i < w.size(); ++i) w.data()[i] = mine.data()[i] -= 0.1f * g.data()[i];
    });
  }
}
TEST(saved_model, of_convolutions) {
  expect_same_model<gcn, gcn_loss>(parameters<gcn_loss>(sized<"F">(5), sized<"C">(3)));
}
TEST(saved_model, of_attention) { expect_same_model<gat, gat_loss>(parameters<gat_loss>(sized<"F">(5))); }

TEST(saved_model, of_a_text_and_tensors_beside_it) {
  auto weights = parameters<gcn>(sized<"F">(5), sized<"C">(3));
  initialize(weights, 4);
  const test::temporary_folder folder;
  const auto features = drawn({6, 5}, 1);
  const auto expected = compile<gcn>(draft())(ring(), x = features, weights);
  save_model<gcn>(folder.file("model"), weights);
  std::filesystem::copy(folder.file("model/program.stg"), folder.file("gcn.stg"));
  EXPECT_TRUE(load_model(folder.file("gcn.stg")).parameters().empty());
  save_parameters(weights, folder.file("gcn.safetensors"));
  expect_same_bits<float>(load_model(folder.file("gcn.stg"))(ring(), x = features)[0], expected);
  expect_same_bits<float>(load_model(folder.file("model/program.stg"))(ring(), x = features)[0], expected);
  weights[b1].fill(7);
  save_parameters(weights, folder.file("others"));
  const loaded_model other = load_model(folder.file("gcn.stg"), folder.file("others"));
  EXPECT_EQ(std::get<tensor<float>>(other.parameters().at("b1"))(0), 7);
  EXPECT_EQ(other.parameters().size(), 3u);
  test::expect_error([&] { load_model(folder.file("gcn.stg"), folder.file("none")); }, {"none are missing; expected"});
  test::expect_error([&] { load_model(folder.file("gcn.stg"), folder.file("gcn.stg")); }, {"a file of another kind"});
  test::expect_error([&] { load_model(folder.write("empty.stg", "\n")); }, {"empty.stg has no output"});
}

// ---- over time ----

constexpr auto each = over<"T">(vertex_feature<"each", 3>);
constexpr auto w = edge_feature<"w">;
constexpr auto goal = vertex_feature<"goal", 2>;
constexpr auto W = parameter<"W", 3, 4>;
constexpr auto I = parameter<"I", 4, 12>;
constexpr auto U = parameter<"U", 4, 8>;
constexpr auto C = parameter<"C", 4, 4>;
constexpr auto b = parameter<"b", 12>;
constexpr auto R = parameter<"R", 4, 2>;
constexpr auto scaled_by = scalar<"by">;
constexpr auto recurrent = [](auto v) {
  auto cell = nn::tgcn{W, I, U, C, b};
  auto h = scan<"T">(
      v, [=](auto v, auto h) { return cell(nn::weighted(v, w), v(each), h); }, zeros<4>(v));
  return mse(v(scaled_by) * matmul(h, R), v(goal));
};
TEST(saved_model, over_time) {
  auto weights = parameters<recurrent>();
  initialize(weights, 4);
  const test::temporary_folder folder;
  save_model<recurrent>(folder.file("tgcn"), weights);
  loaded_model loss = load_model(folder.file("tgcn"));
  const auto in = drawn({5, 6, 3}, 2), wanted = drawn({6, 2}, 3);
  const auto of_edges = ring().edge_values(drawn({8}, 5));
  auto now =
      value_and_grad<recurrent>(draft())(ring(), each = in, w = of_edges, goal = wanted, scaled_by = 0.5f, weights);
  const auto found = loss.step(ring(), each = in, w = of_edges, goal = wanted, scaled_by = 0.5f);
  expect_same_step(found, now, weights);
}

// ---- over several kinds ----

constexpr auto paper = vertex_set<"paper">;
constexpr auto word = vertex_set<"word">;
constexpr auto cites = relation<"cites", paper, paper>;
constexpr auto holds = relation<"holds", paper, word>;
constexpr auto code = word.feature<"code", 4>;
constexpr auto topic = paper.feature<"topic", i32>;
constexpr auto Wc = parameter<"Wc", 4, 6>;
constexpr auto own = parameter<"own", 6, 3>;
constexpr auto of_cited = parameter<"of_cited", 6, 3>;
constexpr auto of_kinds = [](auto g) {
  auto p = g(paper);
  auto near = p.in_edges(cites);
  auto said = relu(nn::mean_over(p.out_edges(holds), g(word)(code), Wc));
  return cross_entropy(nn::rgcn_conv(said, own, nn::mean_over(near, said, of_cited)), p(topic));
};
TEST(saved_model, over_several_kinds) {
  graphs g;
  g.add_vertices(paper, 3).add_vertices(word, 4);
  g.add_edges(cites, {0, 1, 2}, {1, 2, 0});
  g.add_edges(holds, {0, 0, 1, 2, 2}, {0, 1, 2, 3, 0});
  auto weights = parameters<of_kinds>();
  initialize(weights, 4);
  const test::temporary_folder folder;
  save_model<of_kinds>(folder.file("rgcn"), weights);
  loaded_model loss = load_model(folder.file("rgcn"));
  const auto codes = drawn({4, 4}, 1);
  const auto topics = tensor<std::int32_t>::from({3}, {0, 2, 1});
  auto now = value_and_grad<of_kinds>(draft())(g, code = codes, topic = topics, weights);
  const auto found = loss.step(g, code = codes, topic = topics);
  expect_same_step(found, now, weights);
}

// ---- what is wrong ----

void replace_in(const std::string& path, const std::string& from, const std::string& to) {
  std::ifstream in(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(in)), {});
  const std::size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << text;
  text.replace(at, from.size(), to);
  std::ofstream(path, std::ios::binary) << text;
}
struct broken {
  test::temporary_folder folder;
  std::string program = folder.file("m/program.stg");
  broken() {
    auto weights = parameters<gcn_loss>(sized<"F">(5), sized<"C">(3));
    initialize(weights, 4);
    save_model<gcn>(folder.file("m"), weights);
  }
  void expect(std::initializer_list<std::string_view> parts) {
    test::expect_error([&] { load_model(folder.file("m")); }, parts);
  }
};
TEST(saved_model, of_a_lambda_with_a_mistake_is_an_error) {
  broken m;
  replace_in(m.program, "\noutput", "\nwrong dropout_twice\noutput");
  m.expect({"a program to be run is of a lambda with a mistake: dropout_twice"});
}
TEST(saved_model, of_another_version_is_an_error) {
  broken m;
  replace_in(m.program, "stg program 1", "stg program 7");
  m.expect({"program.stg", "version"});
}
TEST(saved_model, with_an_operation_that_is_not_known_is_an_error) {
  broken m;
  replace_in(m.program, " = relu", " = relux");
  m.expect({"program.stg", "line", "relux"});
}
TEST(saved_model, that_is_cut_short_is_an_error) {
  broken m;
  std::filesystem::resize_file(m.program, std::filesystem::file_size(m.program) / 2);
  m.expect({"program.stg", "line"});
  broken n;
  std::filesystem::resize_file(n.folder.file("m/W1.npy"), 100);
  n.expect({"W1.npy"});
}
TEST(saved_model, without_its_program_is_an_error) {
  broken m;
  std::filesystem::remove(m.program);
  m.expect({"program.stg"});
}
TEST(saved_model, without_a_parameter_asks_for_it) {
  broken m;
  std::filesystem::remove(m.folder.file("m/W2.npy"));
  const loaded_model model = load_model(m.folder.file("m"));
  test::expect_error([&] { model(ring(), x = drawn({6, 5}, 1)); }, {"input 'W2' is not given"});
  EXPECT_EQ(model(ring(), x = drawn({6, 5}, 1), program_input("W2", drawn({8, 3}, 1))).size(), 1u);
}
TEST(saved_model, says_what_it_has_not) {
  broken m;
  loaded_model model = load_model(m.folder.file("m"));
  test::expect_error([&] { model.parameter("W7"); }, {"no parameter 'W7'"});
  test::expect_error([&] { model.parameter<double>("W1"); }, {"'W1' holds numbers of another type"});
  test::expect_error([&] { model.step(ring(), x = drawn({6, 5}, 1)); }, {"has a loss as its first output"});
  test::expect_error([&] { model(ring()); }, {"input 'x' is not given"});
}

}  // namespace
}  // namespace stg
