// Turns a file of static_asserts into one of tests: included ahead of it, which is not changed. What is compiled once
// then runs as every mutant, where a compiler would have to see the file once for each. What is a constant by itself,
// such as the plan of an executable, stays what it is: of that the file must be compiled with the macro STG_MUTANT.
#pragma once

#include <gtest/gtest.h>  // RegisterTest

// All that such a file includes: static_assert is what it is in there.
#include <stg/differentiate.hpp>
#include <stg/dsl/messages.hpp>
#include <stg/examine.hpp>
#include <stg/nn/conv.hpp>
#include <stg/pass/call.hpp>
#include <stg/pass/inline.hpp>
#include <stg/pass/online_softmax.hpp>
#include <stg/pipeline.hpp>
#include <stg/stg.hpp>

#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace stg::mutation {

/// A test that asks `holds` of what stands in a line.
class stated : public testing::Test {
 public:
  explicit stated(bool (*asked)()) : holds(asked) {}
  void TestBody() override { EXPECT_TRUE(holds()); }

 private:
  bool (*holds)();
};
inline bool state(const char* file, int line, bool (*holds)()) {
  const std::string path = file, name = path.substr(path.rfind('/') + 1) + ':' + std::to_string(line);
  testing::RegisterTest("static_tests", name.c_str(), nullptr, nullptr, file, line,
                        [=]() -> testing::Test* { return new stated(holds); });
  return true;
}
constexpr bool said(bool holds, const char* = "") { return holds; }

}  // namespace stg::mutation

// Files define functions of the same names: each has a namespace of its own, from which it sees the library.
namespace stg::STG_STATED {
using namespace ::stg;
}
#define STG_STATED_IN_LINE(line) STG_STATED_AS(line)
#define STG_STATED_AS(line) stated_in_line_##line
#define static_assert(...)                                          \
  [[maybe_unused]] static const bool STG_STATED_IN_LINE(__LINE__) = \
      ::STG_LIBRARY::mutation::state(__FILE__, __LINE__, [] { return ::STG_LIBRARY::mutation::said(__VA_ARGS__); })
namespace STG_LIBRARY = ::stg;
#define stg stg::STG_STATED
