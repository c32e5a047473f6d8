// test: draft calls, proof kernels 0
// Operations of a user's own: as the same formula of ours, in drafts, scans, gradients of gradients, texts and files;
// what check_operation finds; names that are unknown or taken twice.
#include "support/families.hpp"        // mixed
#include "support/own_operations.hpp"  // softcap, softsign, between

#include <stg/elementwise.hpp>         // check_operation
#include <stg/examine/index_text.hpp>  // index_form_to_inputs, to_text
#include <stg/ir/operation_name.hpp>   // operation_name, operation_number
#include <stg/ir/text.hpp>             // from_text, to_text
#include <stg/pipeline.hpp>            // canonical
#include <stg/saved_model.hpp>         // load_model, save_model
#include <stg/stg.hpp>                 // the language

#include <gmock/gmock.h>  // HasSubstr
#include <gtest/gtest.h>  // TEST

#include <cmath>       // tanh
#include <cstring>     // memcmp
#include <filesystem>  // temp_directory_path

namespace stg {
namespace {

using test::between, test::softcap, test::softsign;
using testing::HasSubstr;

constexpr auto x = vertex_feature<"x", 5>;
constexpr auto W = parameter<"W", 5, 9>;
constexpr auto cap = parameter<"cap", 9>;

template <bool Own> struct attention_of {
  static constexpr auto scores = [](auto a, auto b) {
    if constexpr (Own) return stg::apply<softcap>(a, b);
    else return b * tanh(a / b);
  };
  static constexpr auto model = [](auto v) {
    auto h = matmul(v(x), W);
    auto e = v.in_edges();
    return sum(softmax(scores(e.src(h) * e.dst(h), cap)) * e.src(h));
  };
  static constexpr auto loss = [](auto v) { return mean(square(sum(model(v), axis<0>)), all_vertices); };
};
constexpr auto own_model = attention_of<true>::model;
constexpr auto our_model = attention_of<false>::model;
constexpr auto own_loss = attention_of<true>::loss;
constexpr auto our_loss = attention_of<false>::loss;

template <class T> tensor<T> drawn(const dimensions& shape, double low, double high, std::uint64_t seed) {
  tensor<T> t(shape);
  uniform(t, low, high, seed);
  return t;
}
struct given {
  graph g = test::mixed();
  tensor<float> X = drawn<float>({5, 5}, -1, 1, 1), weights = drawn<float>({5, 9}, -1, 1, 2),
                caps = drawn<float>({9}, 0.5, 2, 3);
  template <class F> auto call(F&& f) const { return f(g, x = X, W = weights, cap = caps); }
};
bool same_bits(const const_tensor<float>& a, const const_tensor<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * 4) == 0;
}

TEST(elementwise, has_the_bits_of_the_same_formula_of_ours) {
  const given all;
  auto own_call = compile<own_model>();
  auto our_call = compile<our_model>();
  EXPECT_TRUE(same_bits(all.call(own_call), all.call(our_call)));
  auto own_step = value_and_grad<own_loss>();
  auto our_step = value_and_grad<our_loss>();
  const auto own = all.call(own_step);
  const auto ours = all.call(our_step);
  EXPECT_NEAR(own.loss, ours.loss, 1e-6);
  for (std::int64_t i = 0; i < 45; ++i) EXPECT_NEAR(own.gradients[W].data()[i], ours.gradients[W].data()[i], 1e-5);
  for (std::int64_t i = 0; i < 9; ++i) EXPECT_NEAR(own.gradients[cap].data()[i], ours.gradients[cap].data()[i], 1e-5);
}

TEST(elementwise, is_right_in_drafts) {
  const given all;
  auto call = compile<own_model>();
  auto drafted_call = compile<own_model>(draft());
  const auto compiled = all.call(call), drafted = all.call(drafted_call);
  for (std::int64_t i = 0; i < compiled.size(); ++i) EXPECT_NEAR(compiled.data()[i], drafted.data()[i], 1e-5);
  auto step = value_and_grad<own_loss>();
  auto drafted_step = value_and_grad<own_loss>(draft());
  const auto own = all.call(step);
  const auto again = all.call(drafted_step);
  for (std::int64_t i = 0; i < 9; ++i) EXPECT_NEAR(own.gradients[cap].data()[i], again.gradients[cap].data()[i], 1e-5);
}

TEST(elementwise, is_found_right_by_check_operation) {
  const operation_check of_two = check_operation<softcap>();
  EXPECT_TRUE(of_two) << of_two;
  const operation_check of_three = check_operation<between>({.ulps = 1e4});  // where a and b cancel
  EXPECT_TRUE(of_three) << of_three;
  EXPECT_FALSE(of_three.has_gradient);
}

struct wrong_slope : elementwise<wrong_slope, "wrong_slope", 1> {
  STG_LANEWISE static auto value(auto a) { return a * a * a; }
  static constexpr auto gradient(auto d, auto a) { return 2.0 * d * a * a; }
};
struct of_few_digits : elementwise<of_few_digits, "few_digits", 1> {
  STG_LANEWISE static auto value(auto a) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(a.get())>, long double>) return exp(a);
    else return exp(a) * (1 + 1e-5);
  }
};
TEST(elementwise, is_found_wrong_by_check_operation) {
  const operation_check slope = check_operation<wrong_slope>();
  EXPECT_FALSE(slope);
  EXPECT_GT(slope.slope.wrong, 0);
  const operation_check digits = check_operation<of_few_digits>();
  EXPECT_FALSE(digits);
  EXPECT_GT(digits.worst.ulps, 100);
  EXPECT_THAT(to_string(digits), HasSubstr("few_digits: "));
}

constexpr auto b = parameter<"b", 5>;
constexpr auto of_parameters = [](auto v) { return v(x) + stg::apply<softsign>(b) + stg::apply<softcap>(1.5, b); };
TEST(elementwise, is_applied_to_parameters_alone) {
  const given all;
  auto call = compile<of_parameters>();
  const auto y = call(all.g, x = all.X, b = tensor<float>::full({5}, 2));
  EXPECT_NEAR(y(0, 0), all.X(0, 0) + 2.0 / 3 + 2 * std::tanh(0.75), 1e-6);
}

TEST(elementwise, is_its_name_in_texts) {
  const ir::program p = canonical<ref<own_model>>::value.thaw();
  const std::string text = ir::to_text(p);
  EXPECT_THAT(text, HasSubstr("= elementwise_2 softcap ("));
  EXPECT_EQ(ir::from_text(text), p);
  try {
    static_cast<void>(
        ir::from_text("%0 = input x  vertex f32 (4)\n%1 = elementwise_1 softcup (%0)  vertex f32 (4)\noutput %1\n"));
    FAIL() << "an operation that nobody knows";
  } catch (const error& e) {
    EXPECT_THAT(e.what(), HasSubstr("line 2"));
    EXPECT_THAT(e.what(), HasSubstr("no operation softcup"));
  }
}

TEST(elementwise, is_its_name_in_equations) {
  const ir::program p = canonical<ref<of_parameters>>::value.thaw();
  EXPECT_THAT(std::string(examine::to_text(p, examine::index_form_to_inputs(p, p.outputs[0].at)).view()),
              HasSubstr("softcap(1.5, b[f])"));
}

TEST(elementwise, names_are_numbers) {
  for (const char* name : {"a", "z9_", "abcdefghijkl", "softcap"})
    EXPECT_EQ(ir::operation_name(ir::operation_number(name)).view(), name);
  for (const char* none : {"", "Softcap", "9a", "_a", "abcdefghijklm", "a-b", "ä"})
    EXPECT_EQ(ir::operation_number(none), 0) << none;
  for (const std::int64_t none : {std::int64_t(0), std::int64_t(-1), std::int64_t(38), std::int64_t(27)})
    EXPECT_EQ(ir::operation_name(none).length, 0) << none;
}

TEST(elementwise, two_structs_of_one_name_are_an_error_where_it_is_looked_up) {
  own_operation other = operation_of(softsign::number);
  other.number = ir::operation_number("twice");
  other.written = "mine::twice";
  add_operation(other);
  EXPECT_EQ(operation_of(other.number).written, "mine::twice");
  add_operation(other);                                       // the same again, as of another file
  other.value = [](const long double* of) { return of[0]; };  // of a shared library
  add_operation(other);
  EXPECT_EQ(operation_of(other.number).arity, 1);
  other.written = "yours::twice";
  add_operation(other);
  try {
    operation_of(other.number);
    FAIL();
  } catch (const error& e) {
    EXPECT_STREQ(e.what(), "stg: two operations are called twice: mine::twice and yours::twice");
  }
  own_operation unnamed = other;
  unnamed.number = ir::operation_number("unnamed");
  unnamed.written = "{anonymous}::unnamed";
  add_operation(unnamed);
  unnamed.value = [](const long double* of) { return -of[0]; };  // of another file
  add_operation(unnamed);
  EXPECT_NE(why_no_operation(unnamed.number), "");
}

TEST(elementwise, is_in_a_model_that_is_loaded) {
  const given all;
  auto params = parameters<own_model>();
  initialize(params, 1);
  const auto folder = std::filesystem::temp_directory_path() / "stg_elementwise";
  std::filesystem::remove_all(folder);
  save_model<own_model>(folder.string(), params);
  auto loaded = load_model(folder.string());
  auto drafted = compile<own_model>(draft());
  const auto y = drafted(all.g, x = all.X, params);
  EXPECT_TRUE(same_bits(std::get<tensor<float>>(loaded(all.g, x = all.X)[0]), y));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace stg
