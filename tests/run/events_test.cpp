// test: draft data, sanitized readers
// Lists of events: columns where they are said to be, sorted by time, renumbered.
#include "expect_error.hpp"      // expect_error
#include "temporary_folder.hpp"  // temporary_folder

#include <stg/arrow.hpp>        // events_of
#include <stg/data/events.hpp>  // read_events
#include <stg/data/npy.hpp>     // write_npy

#include <gmock/gmock.h>  // ElementsAre
#include <gtest/gtest.h>  // TEST

namespace stg {
namespace {

using test::expect_error;
using testing::ElementsAre;

TEST(events, are_sorted_by_time_and_keep_their_order_within_it) {
  const test::temporary_folder folder;
  const auto e = read_events(folder.write("e.txt", "# from to at\n9 2 30\n2 9 10\n\n7 7 30\n9 4 20\n"));
  EXPECT_THAT(e.src, ElementsAre(2, 9, 9, 7));
  EXPECT_THAT(e.dst, ElementsAre(9, 4, 2, 7));
  EXPECT_THAT(e.time, ElementsAre(10, 20, 30, 30));
  EXPECT_TRUE(e.values.empty());
  EXPECT_EQ(e.vertices(), 10);
  event_list few = e;
  EXPECT_THAT(renumber(few), ElementsAre(2, 4, 7, 9));
  EXPECT_THAT(few.src, ElementsAre(0, 3, 3, 2));
  EXPECT_THAT(few.dst, ElementsAre(3, 1, 0, 2));
  EXPECT_EQ(few.vertices(), 4);
  EXPECT_EQ(read_events(folder.write("none.txt", "# nothing\n")).vertices(), 0);
}

TEST(events, may_have_values_and_names_of_columns) {
  const test::temporary_folder folder;
  const std::string path = folder.write("trust.csv", "source,target,rating,time\n6,2,4,1289241911.5\n1,6,-10,7\n");
  const auto by_name =
      read_events(path, {.table = {}, .src = "source", .dst = "target", .time = "time", .value = "rating"});
  EXPECT_THAT(by_name.time, ElementsAre(7, 1289241911.5));
  EXPECT_THAT(by_name.values, ElementsAre(-10, 4));
  const auto by_number = read_events(path, {.table = {}, .src = 0, .dst = 1, .time = 3, .value = 2});
  EXPECT_EQ(by_number.src, by_name.src);
}

TEST(events, may_be_arrays) {
  const test::temporary_folder folder;
  const std::string path = folder.file("events.npy");
  write_npy(path, tensor<std::int32_t>::from({2, 3}, {3, 1, 9, 0, 1, 8}));
  const auto e = read_events_npy(path);
  EXPECT_THAT(e.src, ElementsAre(0, 3));
  EXPECT_THAT(e.time, ElementsAre(8, 9));
  write_npy(path, tensor<double>::from({1, 4}, {3, 1, 9, -2.5}));
  EXPECT_THAT(read_events_npy(path).values, ElementsAre(-2.5));
  write_npy(path, tensor<double>::from({1, 3}, {0.5, 1, 9}));
  expect_error([&] { read_events_npy(path); }, {"event 0 has source 0.5", "an integer from 0 on"});
  write_npy(path, tensor<std::int32_t>({3, 2}));
  expect_error([&] { read_events_npy(path); }, {"(3, 2)", "(events, 3) or (events, 4)"});
}

TEST(events, say_where_a_mistake_is) {
  const test::temporary_folder folder;
  const auto refuse = [&](std::string_view text, std::initializer_list<std::string_view> parts) {
    const std::string path = folder.write("e.txt", text);
    expect_error([&] { read_events(path); }, parts);
  };
  refuse("1 2 3\n4 -5 6\n", {"e.txt event 1 has destination -5", "0 or more"});
  refuse("-1 2 3\n", {"event 0 has source -1"});
  refuse("1 2 nan\n", {"event 0 has time nan", "finite"});
  refuse("1 2 3\n1 x 3\n", {"line 2", "\"x\""});
  refuse("1 2\n", {"column 2"});
  const std::string path = folder.write("v.txt", "1 2 3 inf\n");
  expect_error([&] { read_events(path, {.value = 3}); }, {"event 0 has value inf"});
}

TEST(events, come_from_a_table_of_arrow_in_the_order_of_time) {
  std::vector<arrow_column> columns;
  columns.emplace_back("src", tensor<std::int64_t>::from({2}, {4, 5}));
  columns.emplace_back("dst", tensor<std::int32_t>::from({2}, {9, -1}));
  columns.emplace_back("time", tensor<std::int64_t>::from({2}, {20, 10}));
  ArrowSchema schema;
  ArrowArray array;
  to_arrow(std::move(columns), &schema, &array);
  const arrow_table table(&schema, &array);
  const event_list events = events_of(table, {.src = "src", .dst = "src", .time = "time", .value = "dst"});
  EXPECT_EQ(events.src, (std::vector<std::int64_t>{5, 4}));
  EXPECT_EQ(events.time, (std::vector<double>{10, 20}));
  EXPECT_EQ(events.values, (std::vector<double>{-1, 9}));
  test::expect_error([&] { events_of(table); }, {"event 1 has destination -1"});
}

}  // namespace
}  // namespace stg
