// main of tests that are joined: --of=table_test runs those of table_test.cpp, and without it all run.
#include <gtest/gtest.h>  // InitGoogleTest

#include <cstdio>       // fprintf
#include <filesystem>   // path
#include <string>       // string
#include <string_view>  // string_view

namespace {

/// The filter of GoogleTest that takes the tests of a file, empty where it has none.
std::string filter_of(std::string_view file) {
  std::string filter;
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    const testing::TestSuite& suite = *all.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      const testing::TestInfo& test = *suite.GetTestInfo(t);
      if (std::filesystem::path(test.file()).stem() == file)
        filter += std::string(filter.empty() ? "" : ":") + suite.name() + "." + test.name();
    }
  }
  return filter;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  constexpr std::string_view of = "--of=";
  for (int k = 1; k < argc; ++k) {
    const std::string_view word = argv[k];
    const std::string filter = word.starts_with(of) ? filter_of(word.substr(of.size())) : "";
    if (filter.empty()) {
      std::fprintf(stderr, "%s: %s names no file of these tests\n", argv[0], argv[k]);
      return 2;
    }
    const std::string asked = GTEST_FLAG_GET(filter);  // such as -page.is_shown_by_a_browser, which leaves one out
    if (asked == "*" || asked.starts_with('-')) GTEST_FLAG_SET(filter, filter + (asked == "*" ? "" : asked));
  }
  return RUN_ALL_TESTS();
}
