// test: draft cuda
// NCCL as a library that is loaded: one that is there, one without a function, an old one, none; and its calls arrive
// with the arguments of nccl.h.
#include <stg/runtime/cuda/nccl.hpp>

#include <gmock/gmock.h>  // HasSubstr
#include <gtest/gtest.h>  // TEST

#include <cstddef>  // byte
#include <cstdlib>  // setenv, unsetenv
#include <string>   // string

namespace stg {
namespace {

using gpu::nccl_status;
using testing::HasSubstr;

std::string problem_with(const char* file) {
  std::string problem;
  EXPECT_EQ(gpu::load_nccl(file, problem), nullptr) << file;
  return problem;
}

TEST(nccl, why_there_is_none_is_a_sentence) {
  EXPECT_THAT(problem_with("libnccl_that_is_not_there.so"),
              HasSubstr("the library libnccl_that_is_not_there.so cannot be loaded; install NCCL or set"));
  EXPECT_THAT(problem_with("libm.so.6"), HasSubstr("the library libm.so.6 has no ncclGetVersion; install NCCL 2.14"));
  setenv("STG_TEST_NCCL_VERSION", "21304", 1);
  EXPECT_THAT(problem_with(STG_FAKE_NCCL), HasSubstr("is of version 21304; install NCCL 2.14 or newer"));
  unsetenv("STG_TEST_NCCL_VERSION");
}

TEST(nccl, calls_reach_the_library) {
  std::string problem;
  const auto calls = gpu::load_nccl(STG_FAKE_NCCL, problem);
  ASSERT_NE(calls, nullptr) << problem;
  int version = 0;
  EXPECT_EQ(calls->version(&version), nccl_status::success);
  EXPECT_EQ(version, 23203);

  gpu::nccl_id id;
  EXPECT_EQ(calls->unique_id(&id), nccl_status::success);
  EXPECT_EQ(std::string(id.bytes), "an id");
  EXPECT_EQ(id.bytes[127], 'z');

  gpu::nccl_handle handle = nullptr;
  EXPECT_EQ(calls->init(&handle, 3, id, 1), nccl_status::in_progress);  // the library looks at what came
  ASSERT_NE(handle, nullptr);
  nccl_status now{};
  EXPECT_EQ(calls->async_error(handle, &now), nccl_status::success);
  EXPECT_EQ(now, nccl_status::in_progress);
  EXPECT_EQ(calls->group_start(), nccl_status::success);
  std::byte numbers[7];
  const auto stream = reinterpret_cast<gpu::stream_handle>(std::uintptr_t{64});
  EXPECT_EQ(calls->send(numbers, 7, 2, handle, stream), nccl_status::success);
  EXPECT_EQ(calls->receive(numbers + 1, 5, 0, handle, stream), nccl_status::success);
  EXPECT_EQ(calls->group_end(), nccl_status::success);
  EXPECT_EQ(calls->finalize(handle), nccl_status::success);
  EXPECT_EQ(calls->destroy(handle), nccl_status::success);
  EXPECT_EQ(calls->abort(handle), nccl_status::invalid_argument);
  EXPECT_EQ(calls->text(nccl_status::remote_error), "text of 6");
}

}  // namespace
}  // namespace stg
