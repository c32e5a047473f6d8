// Parameters written to a folder and read back.
#include <stg/data/checkpoint.hpp>  // save_parameters, load_parameters

#include <gtest/gtest.h>

#include <stg/stg.hpp>  // parameters

#include "expect_error.hpp"      // expect_error
#include "temporary_folder.hpp"  // temporary_folder

namespace {

using stg::test::expect_error;
using stg::test::temporary_folder;

inline constexpr auto x = stg::vertex_feature<"x", 3>;
inline constexpr auto W = stg::parameter<"conv1/W", 3, stg::extent<"C">>;
inline constexpr auto b = stg::parameter<"b", stg::extent<"C">>;
inline constexpr auto model = [](auto v) { return linear(v(x), W, v(b)); };

auto parameters_of_width(int classes, std::uint64_t seed) {
  auto params = stg::parameters<model>(stg::sized<"C">(classes));
  stg::initialize(params, seed);
  params[b](0) = static_cast<float>(seed);
  return params;
}

TEST(checkpoint, reads_what_was_written_into_the_memory_that_is_there) {
  temporary_folder folder;
  const auto saved = parameters_of_width(4, 1);
  stg::save_parameters(saved, folder.file("run/7"));
  auto loaded = parameters_of_width(4, 2);
  const float* const memory = loaded[W].data();
  stg::load_parameters(loaded, folder.file("run/7"));
  EXPECT_EQ(loaded[W].data(), memory);
  EXPECT_TRUE(std::equal(saved[W].begin(), saved[W].end(), loaded[W].begin()));
  EXPECT_EQ(loaded[b](0), 1);
  EXPECT_EQ(stg::read_npy<float>(folder.file("run/7/conv1/W.npy")).extent(1), 4);
}

TEST(checkpoint, a_mistake_changes_no_parameter) {
  temporary_folder folder;
  stg::save_parameters(parameters_of_width(4, 1), folder.path());
  auto wider = parameters_of_width(5, 2);
  const float before = wider[W](0, 0);
  expect_error([&] { stg::load_parameters(wider, folder.path()); }, {"conv1/W.npy", "(3, 4)", "(3, 5)"});
  EXPECT_EQ(wider[W](0, 0), before);

  auto same = parameters_of_width(4, 3);
  const float first = same[W](0, 0);
  std::filesystem::remove(folder.file("b.npy"));
  expect_error([&] { stg::load_parameters(same, folder.path()); }, {"b.npy"});
  EXPECT_EQ(same[W](0, 0), first);
}

TEST(checkpoint, a_folder_that_cannot_be_made_is_an_error) {
  temporary_folder folder;
  const std::string file = folder.write("taken", "a file");
  expect_error([&] { stg::save_parameters(parameters_of_width(4, 1), file); }, {"taken", "cannot be made"});
}

}  // namespace
