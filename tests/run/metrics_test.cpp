// test: draft runtime
// Figures beside those that scikit-learn 1.x gives for the same numbers, and what is left of them in the limit.
#include "expect_error.hpp"  // expect_error

#include <stg/data/split.hpp>        // random_split
#include <stg/runtime/accuracy.hpp>  // accuracy
#include <stg/runtime/metrics.hpp>   // confusion_matrix

#include <gtest/gtest.h>  // TEST

#include <algorithm>  // count, equal
#include <array>      // array
#include <cmath>      // isnan, sqrt
#include <limits>     // quiet_NaN
#include <vector>     // vector

namespace stg {
namespace {

using test::expect_error;
using ints = tensor<std::int32_t>;
using bools = tensor<bool>;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr double near = 1e-15;

/// Logits of four classes whose largest is that of each prediction.
tensor<float> logits_for(const std::vector<std::int32_t>& predicted) {
  tensor<float> logits({static_cast<std::int64_t>(predicted.size()), 4});
  std::int64_t v = 0;
  for (const std::int32_t p : predicted) logits(v++, p) = 1;
  return logits;
}
void expect(const precision_recall_f1& of, double precision, double recall, double f1) {
  EXPECT_NEAR(of.precision, precision, near);
  EXPECT_NEAR(of.recall, recall, near);
  EXPECT_NEAR(of.f1, f1, near);
}

// Labels 0 0 1 1 2 2 2, taken for 0 1 1 1 2 0 1; the last vertex is not counted, and class 3 does not occur.
struct seven {
  tensor<float> logits = logits_for({0, 1, 1, 1, 2, 0, 1, 3});
  ints labels = ints::from({8}, {0, 0, 1, 1, 2, 2, 2, 3});
  bools mask = bools::from({8}, {true, true, true, true, true, true, true, false});
};

TEST(metrics, confusion_counts_label_by_class) {
  const seven s;
  const auto m = confusion_matrix(s.logits, s.labels, s.mask);
  const std::vector<std::int64_t> expected = {1, 1, 0, 0, 0, 2, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0};
  EXPECT_EQ(m.shape(), dimensions({4, 4}));
  EXPECT_TRUE(std::equal(m.begin(), m.end(), expected.begin()));
  EXPECT_EQ(confusion_matrix(s.logits, s.labels)(3, 3), 1) << "without a mask all count";
  const auto ties = tensor<double>::from({2, 2}, {1, 1, 0, nan});
  const auto of_ties = confusion_matrix(ties, ints::from({2}, {1, 0}));
  EXPECT_EQ(of_ties(1, 0), 1) << "the first among equals";
  EXPECT_EQ(of_ties(0, 0) + of_ties(0, 1), 0) << "a row with NaN is in no column";
}

TEST(metrics, classes_are_scored) {
  const seven s;
  const class_scores scores = classification_scores(s.logits, s.labels, s.mask);
  EXPECT_EQ(scores.support, (std::vector<std::int64_t>{2, 2, 3, 0}));
  expect(scores.of[0], 0.5, 0.5, 0.5);
  expect(scores.of[1], 0.5, 1, 2 / 3.0);
  expect(scores.of[2], 1, 1 / 3.0, 0.5);
  expect(scores.of[3], 0, 0, 0);
  expect(scores.micro, 4 / 7.0, 4 / 7.0, 4 / 7.0);
  expect(scores.macro, 2 / 3.0, 11 / 18.0, 5 / 9.0);  // of three classes
  expect(scores.weighted, 5 / 7.0, 4 / 7.0, 23 / 42.0);
  EXPECT_NEAR(accuracy(s.logits, s.labels, s.mask), scores.micro.f1, near);
  EXPECT_NEAR(accuracy(s.logits.to<double>(), s.labels), 5 / 8.0, near);

  const class_scores nothing = classification_scores(s.logits, s.labels, bools({8}));
  expect(nothing.macro, 0, 0, 0);
  expect(nothing.micro, 0, 0, 0);
  expect(nothing.weighted, 0, 0, 0);

  auto spoilt = s.logits.clone();
  spoilt(0, 3) = nan;
  expect(classification_scores(spoilt, s.labels, s.mask).of[0], 0, 0, 0);
  expect(classification_scores(spoilt, s.labels, s.mask).micro, 3 / 6.0, 3 / 7.0, 6 / 13.0);
}

TEST(metrics, several_labels_per_vertex_are_scored) {
  const auto targets =
      bools::from({4, 3}, {true, false, true, false, false, true, true, true, false, false, false, false});
  const auto logits = tensor<float>::from({4, 3}, {1, 0, -1, -2, 3, 1, 1, 1, 0, -1, nan, 5});
  const class_scores scores = classification_scores(logits, targets);
  EXPECT_EQ(scores.support, (std::vector<std::int64_t>{2, 1, 2}));
  expect(scores.of[0], 1, 1, 1);
  expect(scores.of[1], 0.5, 1, 2 / 3.0);
  expect(scores.of[2], 0.5, 0.5, 0.5);
  expect(scores.micro, 2 / 3.0, 0.8, 8 / 11.0);
  expect(scores.macro, 2 / 3.0, 5 / 6.0, 13 / 18.0);
  expect(scores.weighted, 0.7, 0.8, 11 / 15.0);
  expect(classification_scores(logits, targets, bools::from({4}, {true, false, false, false})).micro, 1, 0.5, 2 / 3.0);
}

TEST(metrics, rankings_count_ties_by_half) {
  const auto targets = bools::from({6}, {true, false, true, false, true, false});
  const auto scores = tensor<float>::from({6}, {0.9f, 0.8f, 0.8f, 0.3f, 0.3f, 0.1f});
  // 9 pairs: 3 above all, 0.8 above 0.3 and 0.1 and level with 0.8, 0.3 above 0.1, level with 0.3, below 0.8
  EXPECT_NEAR(roc_auc(scores, targets), (3 + 2.5 + 1.5) / 9, near);
  EXPECT_NEAR(average_precision(scores, targets), (1 + 2 / 3.0 + 3 / 5.0) / 3, near);
  EXPECT_EQ(roc_auc(tensor<double>::from({4}, {1, 2, 3, 4}), bools::from({4}, {false, false, true, true})), 1);
  EXPECT_EQ(roc_auc(tensor<double>::from({4}, {1, 2, 3, 4}), bools::from({4}, {true, true, false, false})), 0);
  EXPECT_EQ(roc_auc(tensor<double>({4}), bools::from({4}, {true, false, false, false})), 0.5);
  EXPECT_EQ(average_precision(tensor<double>({4}), bools::from({4}, {true, false, false, false})), 0.25);
  EXPECT_EQ(average_precision(scores, bools({6})), 0);
  EXPECT_EQ(average_precision(tensor<float>({0}), bools({0})), 0);
  const auto mask = bools::from({6}, {true, true, false, false, true, true});
  EXPECT_NEAR(roc_auc(scores, targets, mask), 0.75, near);

  // Two tasks; the second has no false one.
  const auto two = tensor<float>::from({3, 2}, {1, 5, 2, 5, 3, 5});
  EXPECT_NEAR(roc_auc(two, bools::from({3, 2}, {false, true, true, true, false, true})), 0.5, near);
  EXPECT_NEAR(average_precision(two, bools::from({3, 2}, {false, true, true, true, false, true})), 0.75, near);
  expect_error([&] { roc_auc(scores, bools({6})); }, {"roc_auc: all targets are of one kind"});
  expect_error(
      [] {
        roc_auc(tensor<float>({3, 0}), bools({3, 0}));
      },
      {"roc_auc: scores of shape (3, 0) have no task; give one at least"});
  expect_error([] { average_precision(tensor<float>({3, 0}), bools({3, 0})); }, {"average_precision", "have no task"});
  expect_error([&] { roc_auc(scores, targets, bools({6})); }, {"all targets are of one kind"});
  expect_error(
      [&] {
        roc_auc(tensor<float>::from({2}, {1, nan}), bools::from({2}, {true, false}));
      },
      {"roc_auc: the score of row 1 is NaN"});
}

TEST(metrics, numbers_are_compared) {
  const auto y = tensor<float>::from({4}, {2.5f, 0, 2, 8}), target = tensor<float>::from({4}, {3, -0.5f, 2, 7});
  EXPECT_NEAR(mean_absolute_error(y, target), 0.5, near);
  EXPECT_NEAR(mean_squared_error(y, target), 0.375, near);
  EXPECT_NEAR(root_mean_squared_error(y, target), std::sqrt(0.375), near);
  EXPECT_NEAR(mean_absolute_percentage_error(y, target), (1 / 6.0 + 1 + 0 + 1 / 7.0) / 4, near);
  EXPECT_NEAR(r2_score(y, target), 1 - 1.5 / 29.1875, near);
  const auto last = bools::from({4}, {false, false, false, true});
  EXPECT_EQ(mean_absolute_error(y, target, last), 1);
  EXPECT_TRUE(std::isnan(r2_score(y, target, last))) << "of one row";
  const auto same = tensor<float>::full({3}, 2), spoilt = tensor<float>::from({3}, {2, nan, 2});
  EXPECT_TRUE(std::isnan(r2_score(spoilt, same))) << "not 0, as of what is merely wrong";
  EXPECT_TRUE(std::isnan(r2_score(same, spoilt)));

  // Two columns: those of r2 and the root are averaged.
  const auto Y = tensor<double>::from({3, 2}, {0, 2, -1, 2, 8, -5}),
             T = tensor<double>::from({3, 2}, {0.5, 1, -1, 1, 7, -6});
  EXPECT_NEAR(mean_absolute_error(Y, T), 0.75, near);
  EXPECT_NEAR(mean_squared_error(Y, T), 4.25 / 6, near);
  EXPECT_NEAR(root_mean_squared_error(Y, T), (std::sqrt(1.25 / 3) + 1) / 2, near);
  EXPECT_NEAR(r2_score(Y, T), 0.9368005266622779, near);

  const auto third = tensor<double>::full({3}, 0.1);
  EXPECT_EQ(r2_score(third, third), 1) << "all targets are equal, and met";
  EXPECT_EQ(r2_score(tensor<double>::from({3}, {0.1, 0.1, 0.2}), third), 0);
  EXPECT_EQ(mean_absolute_percentage_error(tensor<double>::full({1}, 1), tensor<double>({1})), 0x1p52);
}

TEST(metrics, what_disagrees_is_refused) {
  const seven s;
  expect_error([&] { confusion_matrix(s.logits, ints({7})); },
               {"confusion_matrix: labels of shape (7,) for logits of shape (8, 4); give (8,)"});
  expect_error([&] { classification_scores(s.logits, ints::full({8}, 4)); }, {"label 4 of vertex 0", "[0, 4)"});
  expect_error([&] { classification_scores(s.logits, s.labels, bools({7})); }, {"mask of shape (7,); give (8,)"});
  expect_error([&] { classification_scores(s.logits, bools({8})); }, {"targets of shape (8,)", "give (8, 4)"});
  expect_error([&] { confusion_matrix(tensor<float>({8}), s.labels); }, {"give (vertices, classes)"});
  expect_error([&] { roc_auc(tensor<float>({2}), bools({3})); }, {"roc_auc: targets of shape (3,)"});
  expect_error([&] { roc_auc(tensor<float>({2, 1, 1}), bools({2, 1, 1})); }, {"give (rows,) or (rows, tasks)"});
  expect_error([&] { mean_squared_error(tensor<float>({2}), tensor<float>({2, 1})); }, {"target of shape (2, 1)"});
  expect_error([&] { r2_score(tensor<float>({2}), tensor<float>({2}), bools({2})); }, {"r2_score: nothing is counted"});
  const tensor<float> no_rows({0}), no_columns({3, 0});
  expect_error([&] { r2_score(no_rows, no_rows); }, {"r2_score: y of shape (0,) has no number; give one at least"});
  expect_error([&] { mean_absolute_error(no_columns, no_columns); }, {"y of shape (3, 0) has no number"});
  expect_error([&] { mean_squared_error(no_columns, no_columns, bools({3})); }, {"y of shape (3, 0) has no number"});
  float x = 0;
  const auto away = tensor<float>::view_of(&x, {1}, location::on_device(0));
  expect_error([&] { mean_squared_error(away, tensor<float>({1})); }, {"lies on CUDA device 0"});
}

// ---- splits ----

std::int64_t set(const bools& mask) { return std::count(mask.begin(), mask.end(), true); }
/// The vertices of each part, and that none is in two.
void expect_sizes(const vertex_split& s, std::int64_t train, std::int64_t val, std::int64_t test) {
  EXPECT_EQ(set(s.train), train);
  EXPECT_EQ(set(s.val), val);
  EXPECT_EQ(set(s.test), test);
  for (std::int64_t v = 0; v < s.train.size(); ++v) EXPECT_LE(s.train(v) + s.val(v) + s.test(v), 1) << v;
}
bool same(const vertex_split& a, const vertex_split& b) {
  return std::equal(a.train.begin(), a.train.end(), b.train.begin()) &&
         std::equal(a.val.begin(), a.val.end(), b.val.begin()) &&
         std::equal(a.test.begin(), a.test.end(), b.test.begin());
}

TEST(random_split, takes_shares_and_numbers) {
  expect_sizes(random_split(103, split_fractions{}, 1), 62, 20, 21);  // cuts at 61.8 and 82.4
  expect_sizes(random_split(10, split_fractions{.train = 0.5, .val = 0.2, .test = 0.1}, 1), 5, 2, 1);
  expect_sizes(random_split(10, split_fractions{.train = 1, .val = 0}, 1), 10, 0, 0);
  expect_sizes(random_split(0, split_fractions{}, 1), 0, 0, 0);
  expect_sizes(random_split(50, split_counts{.train = 20, .val = 5, .test = 25}, 1), 20, 5, 25);
  expect_sizes(random_split(50, split_counts{.train = 20, .val = 5, .test = 10}, 1), 20, 5, 10);
}

TEST(random_split, of_decimal_shares_has_each_vertex_once) {
  const auto marked = [](const tensor<bool>& mask, std::int64_t v) { return mask(v) ? 1 : 0; };
  for (const std::int64_t vertices : {1, 7, 50, 100})
    for (int train = 0; train <= 100; train += 3)
      for (int val = 0; val <= 100 - train; val += 7) {
        const split_fractions shares{
            .train = train / 100.0, .val = val / 100.0, .test = val % 2 == 0 ? -1 : (100 - train - val) / 100.0};
        const vertex_split split = random_split(vertices, shares, 1);
        std::int64_t trained = 0;
        for (std::int64_t v = 0; v < vertices; ++v) {
          ASSERT_EQ(marked(split.train, v) + marked(split.val, v) + marked(split.test, v), 1)
              << train << " and " << val << " in 100 of " << vertices;
          trained += marked(split.train, v);
        }
        ASSERT_LE(std::abs(100 * trained - vertices * train), 50) << "the nearest vertex";
      }
}

TEST(random_split, takes_classes_alike) {
  ints labels({100});
  for (std::int64_t v = 0; v < 100; ++v) labels(v) = v < 5 ? -1 : v < 10 ? 2 : v < 40 ? 0 : 1;  // 5 unknown; 30, 60, 5
  const auto of_class = [&](const bools& mask, std::int32_t label) {
    std::int64_t count = 0;
    for (std::int64_t v = 0; v < 100; ++v) count += mask(v) && labels(v) == label;
    return count;
  };
  const vertex_split few = random_split(labels, class_counts{.train_per_class = 10, .val = 30, .test = 40}, 3);
  expect_sizes(few, 25, 30, 40);
  EXPECT_EQ(of_class(few.train, 0), 10);
  EXPECT_EQ(of_class(few.train, 1), 10);
  EXPECT_EQ(of_class(few.train, 2), 5) << "all that there are";
  EXPECT_EQ(of_class(few.val, -1) + of_class(few.test, -1) + of_class(few.train, -1), 0);
  const vertex_split shares = random_split(labels, split_fractions{.train = 0.6, .val = 0.2}, 3);
  for (const auto& [label, train, val, test] :
       {std::array{0, 18, 6, 6}, {1, 36, 12, 12}, {2, 3, 1, 1}, {-1, 0, 0, 0}}) {
    EXPECT_EQ(of_class(shares.train, label), train);
    EXPECT_EQ(of_class(shares.val, label), val);
    EXPECT_EQ(of_class(shares.test, label), test);
  }
  expect_error([&] { random_split(labels, class_counts{.train_per_class = 20, .val = 50, .test = 1}, 3); },
               {"random_split into 0, 50 and 1 vertices; left over are 50"});
}

TEST(random_split, repeats_with_its_seed) {
  const auto of = [](std::uint64_t seed) { return random_split(1000, split_fractions{}, seed); };
  EXPECT_TRUE(same(of(1), of(1)));
  EXPECT_FALSE(same(of(1), of(2)));
  // On every machine, by the generator's first numbers: 14514284786278117030 is in the third third of 2⁶⁴, so that
  // vertex 2 stays last, and 4620546740167642908 in the first half, so that 1 and 0 change places.
  const vertex_split three = random_split(3, split_counts{.train = 1, .val = 1, .test = 1}, 5489);
  EXPECT_TRUE(three.train(1) && three.val(0) && three.test(2));
  // Every vertex is in the training part as often as chance has it.
  int first = 0, last = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const vertex_split s = random_split(20, split_fractions{.train = 0.5, .val = 0.25}, seed);
    first += s.train(0);
    last += s.train(19);
  }
  EXPECT_NEAR(first, 500, 80);  // five standard deviations
  EXPECT_NEAR(last, 500, 80);
}

TEST(random_split, refuses_what_cannot_be) {
  expect_error([] { random_split(10, split_fractions{.train = 0.9, .val = 0.2}, 1); }, {"at most 1 together"});
  expect_error([] { random_split(10, split_fractions{.train = -0.1}, 1); }, {"shares of 0 or more"});
  expect_error([] { random_split(10, split_fractions{.train = 0.5, .val = -1e-9}, 1); },
               {"shares 0.5, -1e-09, the rest"});
  expect_error([] { random_split(10, split_fractions{.train = std::nan("")}, 1); }, {"shares of 0 or more"});
  expect_error([] { random_split(10, split_counts{.train = 8, .val = 3}, 1); }, {"8, 3 and 0 vertices; there are 10"});
  expect_error([] { random_split(10, split_counts{.train = -1}, 1); }, {"-1, 0 and 0 vertices"});
  expect_error([] { random_split(-1, split_fractions{}, 1); }, {"-1 vertices"});
  const class_counts negative{.train_per_class = -5, .val = 0, .test = 0};
  for (const std::int32_t label : {0, -1})  // of classes that there are, and of none
    expect_error([&] { random_split(ints::full({3}, label), negative, 1); }, {"-5, 0 and 0 vertices; there are 3"});
}

TEST(ranks, are_those_of_ogb) {
  const auto positive = tensor<float>::from({3}, {0.9f, 0.5f, 0.1f});
  const auto negative = tensor<float>::from({3, 3}, {0.1f, 0.2f, 0.3f, 0.5f, 0.5f, 0.7f, 0.4f, 0.3f, 0.2f});
  // Ranks 1; 1 + 1 + 2 / 2 = 3; 4.
  EXPECT_DOUBLE_EQ(mean_reciprocal_rank(positive, negative), (1 + 1. / 3 + 1. / 4) / 3);
  EXPECT_DOUBLE_EQ(hits_at(1, positive, negative), 1. / 3);
  EXPECT_DOUBLE_EQ(hits_at(3, positive, negative), 2. / 3);
  EXPECT_DOUBLE_EQ(hits_at(4, positive, negative), 1);
  const auto counted = tensor<bool>::from({3}, {false, true, true});
  EXPECT_DOUBLE_EQ(mean_reciprocal_rank(positive, negative, counted), (1. / 3 + 1. / 4) / 2);
  // Above the k-th largest of all negatives: 0.7, 0.5, 0.5, 0.4, …
  const auto common = negative.reshape({9});
  EXPECT_DOUBLE_EQ(hits_at(1, positive, common), 1. / 3);
  EXPECT_DOUBLE_EQ(hits_at(2, positive, common), 1. / 3);
  EXPECT_DOUBLE_EQ(hits_at(4, positive, common), 2. / 3);
  EXPECT_DOUBLE_EQ(hits_at(10, positive, common), 1);
  EXPECT_DOUBLE_EQ(mean_reciprocal_rank(positive, tensor<float>({3, 0})), 1);
}

TEST(ranks, say_what_is_wrong) {
  const auto positive = tensor<double>::from({2}, {1, 2});
  auto negative = tensor<double>({2, 3});
  expect_error([&] { hits_at(0, positive, negative); }, {"first 0 ranks"});
  expect_error(
      [&] {
        mean_reciprocal_rank(positive, tensor<double>({3, 2}));
      },
      {"(2,)", "(3, 2)", "(links, negatives)"});
  expect_error([&] { mean_reciprocal_rank(positive, tensor<double>({6})); }, {"(6,)"});
  expect_error([&] { mean_reciprocal_rank(tensor<double>({0}), tensor<double>({0, 4})); }, {"no link is counted"});
  expect_error([&] { hits_at(1, positive, negative, tensor<bool>({3})); }, {"hits_at", "(3,)"});
  negative(1, 2) = std::numeric_limits<double>::quiet_NaN();
  expect_error([&] { mean_reciprocal_rank(positive, negative); }, {"link 1 is NaN"});
  EXPECT_DOUBLE_EQ(mean_reciprocal_rank(positive, negative, tensor<bool>::from({2}, {true, false})), 1);
  expect_error([&] { hits_at(1, positive, negative.reshape({6})); }, {"negatives is NaN"});
}

}  // namespace
}  // namespace stg
