// test: draft runtime
// The examples' arguments, progress line and result line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <common/options.hpp>   // parse_options, run_example
#include <common/progress.hpp>  // progress
#include <common/result.hpp>    // result

#include <fstream>  // ifstream
#include <limits>   // numeric_limits
#include <sstream>  // ostringstream
#include <vector>   // vector

#include "temporary_folder.hpp"  // temporary_folder

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::optional<common::options> parse(std::vector<const char*> words, std::ostream& help) {
  words.insert(words.begin(), "example");
  return common::parse_options(static_cast<int>(words.size()), words.data(),
                               {.dataset = "auto", .seeds = 10, .epochs = 200, .threads = 0}, "trains a model", help);
}

common::options parsed(std::vector<const char*> words) {
  std::ostringstream help;
  return parse(std::move(words), help).value();
}

std::string content_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string complaint(std::vector<const char*> words) {
  try {
    parsed(std::move(words));
  } catch (const common::bad_arguments& error) {
    return error.what();
  }
  return "(none)";
}

TEST(options, defaults_are_the_examples_own) {
  const auto options = parsed({});
  EXPECT_EQ(options.dataset, "auto");
  EXPECT_EQ(options.seeds, 10);
  EXPECT_EQ(options.epochs, 200);
  EXPECT_EQ(options.threads, 0);
}

TEST(options, are_read) {
  const auto options = parsed({"--dataset", "cora", "--seeds=3", "--epochs", "010", "--threads", "2"});
  EXPECT_EQ(options.dataset, "cora");
  EXPECT_EQ(options.seeds, 3);
  EXPECT_EQ(options.epochs, 10);
  EXPECT_EQ(options.threads, 2);
  EXPECT_EQ(parsed({"--threads", "0"}).threads, 0);
  EXPECT_EQ(parsed({"--epochs", "2147483647"}).epochs, std::numeric_limits<int>::max());
}

TEST(options, help_lists_every_option_with_its_default) {
  std::ostringstream help;
  EXPECT_FALSE(parse({"--help"}, help).has_value());
  EXPECT_THAT(help.str(), AllOf(HasSubstr("trains a model"), HasSubstr("--dataset"), HasSubstr("--seeds"),
                                HasSubstr("--epochs"), HasSubstr("--threads"), HasSubstr("200"), HasSubstr("auto")));
}

TEST(options, wrong_numbers_say_what_is_expected) {
  for (const char* option : {"--seeds", "--epochs"})
    for (const char* value : {"0", "-5", "ten", "3x", "1.5", "", "+3", "2147483648", "99999999999999999999"})
      EXPECT_EQ(complaint({option, value}),
                std::string(option) + ": expects a whole number from 1 to 2147483647, not '" + value + "'");
  EXPECT_EQ(complaint({"--threads", "-1"}), "--threads: expects a whole number from 0 to 2147483647, not '-1'");
}

TEST(options, complaints_name_the_argument_in_one_line) {
  const std::vector<std::pair<std::vector<const char*>, std::string>> cases = {
      {{"--epoch", "3"}, "--epoch"},
      {{"-e", "3"}, "-e"},
      {{"cora"}, "cora"},
      {{"--epochs"}, "--epochs"},
      {{"--dataset"}, "--dataset"},
      {{"--dataset", ""}, "--dataset"},
      {{"--epochs", "--seeds", "3"}, "--epochs"},
      {{"--epochs", "3", "--epochs", "4"}, "--epochs"},
  };
  for (const auto& [words, named] : cases)
    EXPECT_THAT(complaint(words), AllOf(HasSubstr(named), Not(HasSubstr("\n")), Not(testing::Eq("(none)"))));
}

TEST(options, exit_codes) {
  const auto run = [](std::vector<const char*> words, const std::function<void(const common::options&)>& body) {
    words.insert(words.begin(), "build/01_gcn");
    testing::internal::CaptureStderr();
    testing::internal::CaptureStdout();
    const int code = common::run_example(static_cast<int>(words.size()), words.data(), {}, "about", body);
    testing::internal::GetCapturedStdout();
    return std::pair(code, testing::internal::GetCapturedStderr());
  };
  const auto nothing = [](const common::options&) {};
  const auto fails = [](const common::options&) { throw std::runtime_error("stg: cora is not here"); };
  EXPECT_EQ(run({}, nothing), std::pair(0, std::string()));
  EXPECT_EQ(run({"--help"}, fails), std::pair(0, std::string()));
  EXPECT_EQ(run({}, fails), std::pair(1, std::string("01_gcn: stg: cora is not here\n")));
  EXPECT_EQ(run({"--epochs", "0"}, nothing),
            std::pair(2, std::string("01_gcn: --epochs: expects a whole number from 1 to 2147483647, not '0'; --help "
                                     "lists the options\n")));
}

TEST(progress, is_silent_when_piped) {
  std::ostringstream out;
  {
    common::progress progress(2, 3, out, false);
    progress.update(0, 0, 1.5, 0.25);
    progress.clear();
  }
  EXPECT_EQ(out.str(), "");
}

TEST(progress, is_logged_where_it_is_asked_for) {
  const stg::test::temporary_folder folder;
  const common::options options{.seeds = 2, .epochs = 1, .log = folder.file("runs")};
  {
    common::progress progress(options, 1, "full");
    progress.update(0, 0, 1.5, 0.25);
    progress.update(1, 0, 1.25, std::numeric_limits<double>::quiet_NaN());
  }
  const std::string csv = content_of(folder.file("runs/full/scalars.csv"));
  EXPECT_THAT(csv, AllOf(HasSubstr(",0,loss/seed 0,1.5\n"), HasSubstr(",0,validation/seed 0,0.25\n"),
                         HasSubstr(",0,loss/seed 1,1.25\n"), Not(HasSubstr("validation/seed 1"))));
  EXPECT_THAT(content_of(folder.file("runs/full/curves.svg")), HasSubstr("<svg"));
}

TEST(progress, rewrites_one_line_and_clears_it) {
  std::ostringstream out;
  {
    common::progress progress(2, 200, out, true);
    progress.update(0, 0, 1.94591, 0.25);
    progress.update(0, 1, 1.9, 0.26);  // too soon after the first
    progress.update(0, 199, 0.5, std::numeric_limits<double>::quiet_NaN());
  }
  EXPECT_EQ(out.str(),
            "\r\033[Kseed 1/2  epoch 1/200  loss 1.9459  validation 0.250"
            "\r\033[Kseed 1/2  epoch 200/200  loss 0.5000"
            "\r\033[K");
}

TEST(result, line_is_machine_readable) {
  common::result result("cora", "gcn");
  for (double accuracy : {0.80, 0.82, 0.81}) result.add(accuracy);
  EXPECT_EQ(result.line(12.34),
            "result dataset=cora model=gcn seeds=3 test_accuracy_mean=0.8100 test_accuracy_std=0.0100 seconds=12.3");
}

TEST(result, one_seed_has_no_deviation) {
  common::result result("karate", "gat");
  result.add(0.5);
  EXPECT_EQ(result.line(0),
            "result dataset=karate model=gat seeds=1 test_accuracy_mean=0.5000 test_accuracy_std=0.0000 seconds=0.0");
  testing::internal::CaptureStdout();
  result.print();
  EXPECT_THAT(testing::internal::GetCapturedStdout(),
              testing::MatchesRegex("result dataset=karate model=gat seeds=1 .* seconds=0\\.[0-9]\n"));
}

}  // namespace
