// test: draft runtime, sanitized memory
// Arrow's C data interface: columns are seen without a copy, offsets and nulls respected, arrays released once on every
// way, and what no tensor is made of is a sentence.
#include "expect_error.hpp"  // expect_error

#include <stg/arrow.hpp>  // arrow_table, to_arrow

#include <gmock/gmock.h>  // ElementsAre
#include <gtest/gtest.h>  // TEST

#include <cstddef>  // offsetof
#include <cstdint>  // int64_t
#include <memory>   // unique_ptr
#include <string>   // string
#include <utility>  // move
#include <vector>   // vector

namespace stg {
namespace {

using test::expect_error;
using testing::ElementsAre;
using testing::IsEmpty;

// The layout that every library compiles, on a machine of 64 bits.
static_assert(sizeof(ArrowSchema) == 72 && offsetof(ArrowSchema, release) == 56);
static_assert(sizeof(ArrowArray) == 80 && offsetof(ArrowArray, buffers) == 40 && offsetof(ArrowArray, release) == 64);

template <class T> std::vector<T> list_of(const const_tensor<T>& t) { return std::vector<T>(t.begin(), t.end()); }

/// An array of somebody else, with its schema; counts releases of the whole.
struct given {
  std::string name, format;
  ArrowSchema schema{};
  ArrowArray array{};
  std::vector<const void*> buffers{};
  std::vector<std::unique_ptr<given>> children{};
  std::vector<ArrowSchema*> schemas{};
  std::vector<ArrowArray*> arrays{};
  int schemas_released = 0, arrays_released = 0;

  given(std::string name_, std::string format_, std::int64_t length, std::vector<const void*> buffers_,
        std::int64_t offset = 0)
      : name(std::move(name_)), format(std::move(format_)), buffers(std::move(buffers_)) {
    schema = {format.c_str(),
              name.c_str(),
              nullptr,
              ARROW_FLAG_NULLABLE,
              0,
              nullptr,
              nullptr,
              [](ArrowSchema* s) { ++static_cast<given*>(s->private_data)->schemas_released, s->release = nullptr; },
              this};
    array = {length,
             -1,
             offset,
             static_cast<std::int64_t>(buffers.size()),
             0,
             buffers.data(),
             nullptr,
             nullptr,
             [](ArrowArray* a) { ++static_cast<given*>(a->private_data)->arrays_released, a->release = nullptr; },
             this};
  }
  given(const given&) = delete;
  given& add(std::string of, std::string type, std::int64_t length, std::vector<const void*> memory,
             std::int64_t offset = 0) {
    children.push_back(std::make_unique<given>(std::move(of), std::move(type), length, std::move(memory), offset));
    link();
    return *children.back();
  }
  void link() {
    schemas.clear(), arrays.clear();
    for (auto& c : children) schemas.push_back(&c->schema), arrays.push_back(&c->array);
    schema.n_children = array.n_children = static_cast<std::int64_t>(children.size());
    schema.children = schemas.data(), array.children = arrays.data();
  }
};

const std::int64_t ids[] = {9, 0, 1, 2, 3};
const float weights[] = {-1, -1, 0.5, 1.5, 2.5, 3.5};
const std::uint8_t no_nulls = 0xFF, second_is_null = 0b11101;

/// A slice of a struct array: rows 1 to 3 of the ids, and of weights with an offset of their own.
std::unique_ptr<given> sliced() {
  auto t = std::make_unique<given>("", "+s", 3, std::vector<const void*>{nullptr}, 1);
  t->add("src", "l", 5, {nullptr, ids});
  t->add("w", "f", 4, {&no_nulls, weights}, 2);
  return t;
}

TEST(arrow, columns_are_views_and_the_array_is_released_with_the_last) {
  const auto t = sliced();
  {
    const_tensor<float> kept;
    {
      const arrow_table table(&t->schema, &t->array);
      EXPECT_EQ(t->schema.release, nullptr);
      EXPECT_EQ(t->array.release, nullptr);
      EXPECT_EQ(t->schemas_released, 1);
      EXPECT_EQ(table.rows(), 3);
      EXPECT_THAT(table.names(), ElementsAre("src", "w"));
      EXPECT_TRUE(table.has("w") && !table.has("x"));
      EXPECT_EQ(table.type("src"), "int64");
      const auto src = table.column<std::int64_t>("src");
      EXPECT_EQ(src.data(), ids + 1);
      EXPECT_THAT(list_of(src), ElementsAre(0, 1, 2));
      kept = table.column<float>("w");
      EXPECT_EQ(kept.data(), weights + 3);
      arrow_table moved(std::move(const_cast<arrow_table&>(table)));
      EXPECT_THAT(list_of(moved.column_as<double>("w")), ElementsAre(1.5, 2.5, 3.5));
    }
    EXPECT_EQ(t->arrays_released, 0);
    EXPECT_THAT(list_of(kept.rows(1, 3)), ElementsAre(2.5, 3.5));
  }
  EXPECT_EQ(t->arrays_released, 1);
  EXPECT_EQ(t->children[0]->arrays_released, 0);  // which are the parent's to release
}

TEST(arrow, an_array_by_itself_is_one_column_and_lists_of_one_length_have_rows) {
  given list("h", "+w:2", 2, {nullptr}, 1);
  list.add("item", "f", 4, {nullptr, weights}, 2);
  list.array.length = 1;
  list.children[0]->array.length = 4;
  const arrow_table table(&list.schema, &list.array);
  EXPECT_EQ(table.type("h"), "float32[2]");
  const auto h = table.column<float>("h");
  EXPECT_EQ(h.shape(), (dimensions{1, 2}));
  EXPECT_THAT(list_of(h), ElementsAre(2.5, 3.5));
  expect_error([&] { (void)table.columns_as<float>({"h"}); }, {"\"h\" is of float32[2]", "one number for each row"});
}

TEST(arrow, nulls_are_refused_or_what_is_said) {
  given t("", "+s", 5, {&second_is_null});
  const std::uint8_t bits[] = {0b00111};
  t.add("id", "l", 5, {nullptr, ids});
  t.add("w", "f", 5, {bits, weights}, 0);
  const arrow_table table(&t.schema, &t.array);
  expect_error([&] { (void)table.column<std::int64_t>("id"); }, {"\"id\" row 1 is null", "column_as<T>(name, 0)"});
  expect_error([&] { (void)table.column_as<float>("w"); }, {"\"w\" row 1 is null"});
  expect_error([&] { (void)table.column_as<std::int32_t>("w", 0.5); }, {"is to have 0.5 for nulls, which no int32 is"});
  EXPECT_THAT(list_of(table.column_as<std::int32_t>("id", -7)), ElementsAre(9, -7, 1, 2, 3));
  EXPECT_THAT(list_of(table.column_as<float>("w", 0)), ElementsAre(-1, 0, 0.5, 0, 0));
  const auto both = table.columns_as<double>({"w", "id"}, 8);
  EXPECT_EQ(both.shape(), (dimensions{5, 2}));
  EXPECT_THAT(list_of(both), ElementsAre(-1, 9, 8, 8, 0.5, 1, 8, 2, 8, 3));
}

TEST(arrow, nulls_of_slices_and_of_lists_are_those_of_their_rows) {
  const std::uint8_t fourth_is_null = 0b110111;
  given t("", "+s", 2, {nullptr}, 1);  // rows 1 and 2 of a column that begins at its element 2: elements 3 and 4
  t.add("w", "f", 3, {&fourth_is_null, weights}, 2);
  const arrow_table table(&t.schema, &t.array);
  EXPECT_THAT(list_of(table.column_as<float>("w", 9)), ElementsAre(9, 2.5));
  given list("h", "+w:2", 3, {&second_is_null});
  list.add("item", "f", 6, {nullptr, weights});
  const arrow_table lists(&list.schema, &list.array);
  expect_error([&] { (void)lists.column<float>("h"); }, {"\"h\" row 1, element 0, is null"});
  EXPECT_THAT(list_of(lists.column_as<float>("h", 9)), ElementsAre(-1, -1, 9, 9, 2.5, 3.5));
}

TEST(arrow, every_type_of_numbers_is_converted_and_none_is_rounded) {
  const std::int8_t i1[] = {-128, 7};
  const std::uint8_t u1[] = {255, 7}, bits[] = {0b10};
  const std::int16_t i2[] = {-300, 7};
  const std::uint16_t u2[] = {60000, 7};
  const std::int32_t i4[] = {-70000, 7};
  const std::uint32_t u4[] = {4000000000u, 7};
  const std::uint64_t u8[] = {std::uint64_t{1} << 63, 7};
  const std::int64_t i8[] = {(std::int64_t{1} << 53) + 1, 7};
  const float16 f2[] = {float16(0.5f), float16(7.f)};
  const double f8[] = {1e300, 7};
  given t("", "+s", 2, {nullptr});
  const std::pair<const char*, const void*> columns[] = {
      {"c", i1}, {"C", u1}, {"s", i2}, {"S", u2},   {"i", i4},       {"I", u4},   {"l", i8},
      {"L", u8}, {"e", f2}, {"g", f8}, {"b", bits}, {"tsu:UTC", i8}, {"tdD", i4}, {"tDn", i8}};
  for (const auto& [format, memory] : columns) t.add(format, format, 2, {nullptr, memory});
  const arrow_table table(&t.schema, &t.array);
  const std::pair<const char*, double> first[] = {{"c", -128}, {"C", 255}, {"s", -300},  {"S", 60000}, {"i", -70000},
                                                  {"I", 4e9},  {"e", 0.5}, {"g", 1e300}, {"b", 0}};
  for (const auto& [name, value] : first) EXPECT_EQ(table.column_as<double>(name)(0), value) << name;
  for (const char* name : {"c", "C", "s", "S", "i", "I", "e", "g"})
    EXPECT_EQ(table.column_as<double>(name)(1), 7) << name;
  EXPECT_THAT(list_of(table.column_as<bool>("b")), ElementsAre(false, true));
  EXPECT_EQ(table.column<std::int64_t>("tsu:UTC").data(), i8);
  EXPECT_EQ(table.type("tsu:UTC"), "timestamp[us]");
  EXPECT_EQ(table.type("tDn"), "duration[ns]");
  EXPECT_EQ(table.type("tdD"), "date32");
  EXPECT_EQ(table.column<std::int32_t>("tdD").data(), i4);
  EXPECT_EQ(table.column<float16>("e").data(), f2);
  expect_error([&] { (void)table.column_as<double>("l"); },
               {"row 0 is 9007199254740993; expected a value that fits float64"});
  expect_error([&] { (void)table.column_as<std::int64_t>("L"); }, {"row 0 is 9223372036854775808", "fits int64"});
  expect_error([&] { (void)table.column_as<float>("g"); }, {"row 0 is 1e+300", "fits float32"});
  expect_error([&] { (void)table.column_as<std::int32_t>("I"); }, {"row 0 is 4000000000", "fits int32"});
  expect_error([&] { (void)table.column<std::int64_t>("i"); },
               {"\"i\" is of int32, no view of which has int64; copy it"});
  expect_error([&] { (void)table.column<std::int32_t>("I"); }, {"is of uint32"});
  expect_error([&] { (void)table.column<float>("x"); }, {"no column \"x\"; there are c, C, s"});
}

TEST(arrow, other_types_and_contradictions_are_sentences) {
  const std::int32_t words[] = {0, 1};
  given t("", "+s", 1, {nullptr});
  given dictionary("", "u", 0, {nullptr, nullptr, nullptr});
  t.add("word", "u", 1, {nullptr, words, "a"});
  t.add("code", "i", 1, {nullptr, words}).schema.dictionary = &dictionary.schema;
  t.add("odd", "d:19,10", 1, {nullptr, words});
  t.add("new", "?7", 1, {nullptr, words});
  t.add("near", "i", 1, {nullptr, reinterpret_cast<const char*>(words) + 1});
  t.add("near", "i", 1, {nullptr, words});
  {
    const arrow_table table(&t.schema, &t.array);
    expect_error([&] { (void)table.column_as<float>("word"); }, {"\"word\" is of text; expected numbers"});
    expect_error([&] { (void)table.column<std::int32_t>("code"); },
                 {"\"code\" is of a dictionary", "dictionary_decode()"});
    expect_error([&] { (void)table.column_as<float>("odd"); }, {"is of decimals"});
    expect_error([&] { (void)table.column_as<float>("new"); }, {"is of format \"?7\""});
    expect_error([&] { (void)table.column<std::int32_t>("near"); }, {"\"near\" is there twice"});
  }
  EXPECT_EQ(t.arrays_released, 1);
  given near("near", "i", 1, {nullptr, reinterpret_cast<const char*>(words) + 1});
  const arrow_table unaligned(&near.schema, &near.array);
  expect_error([&] { (void)unaligned.column<std::int32_t>("near"); }, {"address that no int32 lies at"});
  EXPECT_EQ(unaligned.column_as<std::int32_t>("near").size(), 1);
  const auto refused = [&](const auto& spoil, std::initializer_list<std::string_view> parts) {
    const auto wrong = sliced();
    spoil(*wrong);
    expect_error([&] { arrow_table table(&wrong->schema, &wrong->array); }, parts);
    EXPECT_EQ(wrong->arrays_released, 1);
    EXPECT_EQ(wrong->schemas_released, 1);
    EXPECT_EQ(wrong->array.release, nullptr);
  };
  refused([](given& g) { g.array.length = 5; }, {"\"src\" has 5 elements where 6 are asked for"});
  refused([](given& g) { g.array.offset = -1; }, {"below 0"});
  refused([](given& g) { g.array.n_children = 1; }, {"2 children in its schema and 1"});
  refused([](given& g) { g.arrays[1] = nullptr; }, {"no child 1"});
  refused([](given& g) { g.children[0]->array.n_buffers = 1; }, {"\"src\" of int64 has 1 buffers for 2"});
  refused([](given& g) { g.children[0]->buffers[1] = nullptr; }, {"3 elements and no memory"});
  refused([](given& g) { g.children[1]->array.offset = INT64_MAX; }, {"more elements than 2^63"});
  refused(
      [](given& g) { g.children[1]->format = "+w:3", g.children[1]->schema.format = g.children[1]->format.c_str(); },
      {"a list of 3 without one child"});
  const auto once = sliced();
  const arrow_table table(&once->schema, &once->array);
  expect_error([&] { arrow_table again(&once->schema, &once->array); }, {"released already"});
  expect_error([&] { arrow_table none(nullptr, nullptr); }, {"null"});
}

TEST(arrow, tensors_become_tables_and_come_back_without_a_copy) {
  auto h = tensor<float>::from({2, 3}, {1, 2, 3, 4, 5, 6});
  auto vertex = tensor<std::int64_t>::from({2}, {7, 8});
  const float* const memory = h.data();
  std::vector<arrow_column> columns;
  columns.emplace_back("h", std::move(h));
  columns.emplace_back("vertex", std::move(vertex));
  columns.emplace_back("known", tensor<bool>::from({2}, {false, true}));
  ArrowSchema schema;
  ArrowArray array;
  to_arrow(std::move(columns), &schema, &array);
  EXPECT_STREQ(schema.format, "+s");
  EXPECT_STREQ(schema.children[0]->format, "+w:3");
  EXPECT_STREQ(schema.children[0]->children[0]->format, "f");
  ArrowArray moved = *array.children[1];  // by a consumer that wants one column alone
  array.children[1]->release = nullptr;
  EXPECT_EQ(static_cast<const std::int64_t*>(moved.buffers[1])[1], 8);
  array.children[1]->length = 2;
  const_tensor<float> kept;
  {
    const arrow_table table(&schema, &array);
    kept = table.column<float>("h");
    EXPECT_THAT(list_of(table.column_as<bool>("known")), ElementsAre(false, true));
  }
  EXPECT_EQ(kept.data(), memory);
  EXPECT_THAT(list_of(kept), ElementsAre(1, 2, 3, 4, 5, 6));
  kept = {};
  EXPECT_EQ(static_cast<const std::int64_t*>(moved.buffers[1])[0], 7);
  moved.release(&moved);
  EXPECT_EQ(moved.release, nullptr);
}

TEST(arrow, a_table_that_is_given_away_lets_go_of_all_columns) {
  const auto t = sliced();
  std::vector<arrow_column> columns;
  {
    const arrow_table table(&t->schema, &t->array);
    columns.emplace_back("a", table.column<std::int64_t>("src"));
    columns.emplace_back("b", table.column<float>("w"));
  }
  ArrowSchema schema;
  ArrowArray array;
  to_arrow(std::move(columns), &schema, &array);
  EXPECT_EQ(array.children[0]->buffers[1], ids + 1);
  EXPECT_EQ(t->arrays_released, 0);
  schema.release(&schema);
  array.release(&array);
  EXPECT_EQ(t->arrays_released, 1);
}

TEST(arrow, what_is_no_column_is_refused_and_nothing_is_lost) {
  ArrowSchema schema;
  ArrowArray array;
  std::vector<arrow_column> columns;
  columns.emplace_back("a", tensor<float>({2}));
  columns.emplace_back("b", tensor<float>({3}));
  expect_error([&] { to_arrow(std::move(columns), &schema, &array); }, {"\"b\" has 3 rows; expected the 2 of \"a\""});
  expect_error([] { arrow_column("s", tensor<float>(dimensions{})); }, {"\"s\" is a scalar"});
  to_arrow({}, &schema, &array);
  const arrow_table nothing(&schema, &array);
  EXPECT_EQ(nothing.rows(), 0);
  EXPECT_THAT(nothing.names(), IsEmpty());
}

}  // namespace
}  // namespace stg
