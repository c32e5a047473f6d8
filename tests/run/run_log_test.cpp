// test: draft data
// run_log: records of event files byte by byte, lines that are read back, a line of progress on a terminal, curves.
#include <stg/data/table.hpp>                // read_table
#include <stg/distributed/thread_ranks.hpp>  // run_ranks
#include <stg/run_log.hpp>                   // run_log

#include <gmock/gmock.h>  // ElementsAre
#include <gtest/gtest.h>  // TEST

#include <algorithm>   // count, sort
#include <cmath>       // isnan
#include <cstdint>     // int64_t
#include <cstdlib>     // system
#include <cstring>     // memcpy
#include <filesystem>  // directory_iterator
#include <fstream>     // ifstream
#include <iterator>    // istreambuf_iterator
#include <limits>      // numeric_limits
#include <locale>      // numpunct
#include <signal.h>    // signal
#include <stdlib.h>    // posix_openpt
#include <string>      // string
#include <thread>      // thread
#include <vector>      // vector

#include <fcntl.h>         // O_RDWR
#include <poll.h>          // poll
#include <sys/resource.h>  // setrlimit
#include <unistd.h>        // dup2

#include "../../src/run_log/event_records.hpp"  // scalar_record
#include "expect_error.hpp"                     // expect_error
#include "temporary_folder.hpp"                 // temporary_folder

namespace stg {
namespace {

using test::expect_error;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

std::string text_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// ---- a decoder of its own: bit by bit, and by nothing of the library ----

std::uint32_t sum_of(std::string_view bytes) {
  std::uint32_t rest = ~0u;
  for (const char c : bytes)
    for (int bit = 0; bit < 8; ++bit) {
      const bool is_odd = ((rest ^ (static_cast<unsigned char>(c) >> bit)) & 1) != 0;
      rest = (rest >> 1) ^ (is_odd ? 0x82F63B78u : 0u);
    }
  const std::uint32_t sum = ~rest;
  return (sum >> 15 | sum << 17) + 0xA282EAD8u;
}

template <class T> T number_at(std::string_view bytes, std::size_t at) {
  T number{};
  std::memcpy(&number, bytes.substr(at).data(), sizeof number);
  return number;
}

/// A field of a message: its number, and its bytes or its value.
struct field {
  int number;
  std::uint64_t value;
  std::string_view bytes;
};
std::uint64_t take_varint(std::string_view& from) {
  std::uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(from.at(0));
    from.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
}
std::vector<field> fields_of(std::string_view message) {
  std::vector<field> all;
  while (!message.empty()) {
    const std::uint64_t key = take_varint(message);
    field now{static_cast<int>(key >> 3), 0, {}};
    const std::size_t sizes[] = {0, 8, 0, 0, 0, 4};
    std::size_t size = sizes[key & 7];
    if ((key & 7) == 0) now.value = take_varint(message);
    else if ((key & 7) == 2) size = take_varint(message);
    now.bytes = message.substr(0, size);
    message.remove_prefix(size);
    all.push_back(now);
  }
  return all;
}
std::string_view part(std::string_view message, int number) {
  for (const field& f : fields_of(message))
    if (f.number == number) return f.bytes;
  ADD_FAILURE() << "no field " << number;
  return {};
}
std::vector<std::string> records_of(const std::string& file) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at < file.size();) {
    const auto size = number_at<std::uint64_t>(file, at);
    EXPECT_EQ(number_at<std::uint32_t>(file, at + 8), sum_of(std::string_view(file).substr(at, 8)));
    all.push_back(file.substr(at + 12, size));
    EXPECT_EQ(number_at<std::uint32_t>(file, at + 12 + size), sum_of(all.back()));
    at += 16 + size;
  }
  return all;
}
std::vector<std::string> event_files_of(const std::string& folder) {
  std::vector<std::string> all;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().filename().string().starts_with("events.out.tfevents.")) all.push_back(entry.path().string());
  std::sort(all.begin(), all.end());
  return all;
}
struct seen_scalar {
  std::int64_t step;
  std::string name;
  float value;
  bool operator==(const seen_scalar&) const = default;
};
std::vector<seen_scalar> scalars_of(const std::string& event_file) {
  std::vector<seen_scalar> all;
  for (const std::string& record : records_of(text_of(event_file))) {
    std::int64_t step = 0;
    for (const field& f : fields_of(record)) {
      if (f.number == 2) step = static_cast<std::int64_t>(f.value);
      if (f.number != 5) continue;
      const std::string_view value = part(f.bytes, 1);
      all.push_back({step, std::string(part(value, 1)), number_at<float>(part(value, 2), 0)});
    }
  }
  return all;
}

// ---- tests ----

/// TensorFlow's own bytes of the event {wall_time: 1.5, step: 300, summary: {value: {tag: "loss", simple_value:
/// 0.25}}}.
TEST(run_log, writes_the_bytes_that_a_record_has) {
  const std::string message =
      std::string("\x09\0\0\0\0\0\0\xf8\x3f\x10\xac\x02\x2a\x0d\x0a\x0b\x0a\x04loss\x15\0\0\x80\x3e", 27);
  const std::string record = detail::scalar_record(1.5, 300, "loss", 0.25);
  EXPECT_EQ(record.substr(12, record.size() - 16), message);
  EXPECT_EQ(record.substr(0, 12), std::string("\x1b\0\0\0\0\0\0\0STG_", 8) + record.substr(8, 4));
  EXPECT_EQ(number_at<std::uint32_t>(record, 8), sum_of(record.substr(0, 8)));
  EXPECT_EQ(number_at<std::uint32_t>(record, 39), sum_of(message));
  EXPECT_EQ(sum_of("123456789"), (0xE3069283u >> 15 | 0xE3069283u << 17) + 0xA282EAD8u);
}

TEST(run_log, writes_scalars_into_every_file) {
  const test::temporary_folder folder;
  const std::string runs = folder.file("runs/gcn"), awkward = "a \"b\", é";
  {
    run_log log(runs, {.steps = 2});
    log.add_scalar("loss/train", 0.1, 0);
    log.add_scalar("loss/train", nan_value, 1);
    log.add_scalar(awkward, -infinite, 1);
  }
  ASSERT_EQ(event_files_of(runs).size(), 1u);
  const std::string events = event_files_of(runs)[0];
  EXPECT_EQ(part(records_of(text_of(events))[0], 3), "brain.Event:2");
  const auto scalars = scalars_of(events);
  ASSERT_EQ(scalars.size(), 3u);
  EXPECT_EQ(scalars[0], (seen_scalar{0, "loss/train", 0.1f}));
  EXPECT_TRUE(std::isnan(scalars[1].value));
  EXPECT_EQ(scalars[2], (seen_scalar{1, awkward, static_cast<float>(-infinite)}));

  const auto table = read_table(runs + "/scalars.csv");
  EXPECT_THAT(table.names(), ElementsAre("time", "step", "name", "value"));
  EXPECT_THAT(table.words("name"), ElementsAre("loss/train", "loss/train", awkward));
  EXPECT_THAT(table.integers("step"), ElementsAre(0, 1, 1));
  EXPECT_EQ(table.numbers("value")[0], 0.1);
  EXPECT_TRUE(std::isnan(table.numbers("value")[1]));

  const std::string json = text_of(runs + "/scalars.jsonl");
  EXPECT_THAT(json, HasSubstr(R"("step": 0, "name": "loss/train", "value": 0.1})"));
  EXPECT_THAT(json, HasSubstr(R"("step": 1, "name": "loss/train", "value": "NaN"})"));
  EXPECT_THAT(json, HasSubstr(R"("step": 1, "name": "a \"b\", é", "value": "-Infinity"})"));
}

TEST(run_log, has_settings_once) {
  const test::temporary_folder folder;
  run_log log(folder.path());
  log.hyper_parameters({{"rate", 0.01}, {"heads", 8}, {"loops", true}, {"model", "gat \"v2\""}});
  expect_error([&] { log.hyper_parameters({{"rate", 0.1}}); }, {"hyper_parameters were given already"});
  const std::string file = text_of(event_files_of(folder.path())[0]);
  const std::string value(part(part(records_of(file)[1], 5), 1));
  EXPECT_EQ(part(value, 1), "_hparams_/session_start_info");
  EXPECT_EQ(part(part(part(value, 9), 1), 1), "hparams");
  const auto start = part(part(part(part(value, 9), 1), 2), 3);
  std::vector<std::string> names;
  for (const field& f : fields_of(start))
    if (f.number == 1) names.emplace_back(part(f.bytes, 1));
  EXPECT_THAT(names, ElementsAre("rate", "heads", "loops", "model"));
  EXPECT_EQ(number_at<double>(part(part(part(start, 1), 2), 2), 0), 0.01);
  EXPECT_THAT(text_of(folder.file("scalars.jsonl")),
              HasSubstr(R"("hyper_parameters": {"rate": 0.01, "heads": 8, "loops": true, "model": "gat \"v2\""}})"));
}

TEST(run_log, goes_on_where_a_run_was_ended) {
  const test::temporary_folder folder;
  for (const int begin : {0, 3}) {
    run_log log(folder.path(), {.purge_step = begin == 0 ? std::nullopt : std::optional<std::int64_t>(begin)});
    for (int step = begin; step < (begin == 0 ? 10 : 7); ++step) log.add_scalar("loss", step + begin, step);
    log.flush();
    if (begin == 0) {  // and ends within a line
      std::ofstream(folder.file("scalars.csv"), std::ios::app) << "1.5,4,lo";
      std::ofstream(folder.file("scalars.jsonl"), std::ios::app) << "{\"time";
    } else log.write_svg("curves.svg");
  }
  EXPECT_THAT(read_table(folder.file("scalars.csv")).integers("step"),
              ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 3, 4, 5, 6));
  EXPECT_THAT(text_of(folder.file("scalars.jsonl")), HasSubstr("\"purge_step\": 3}\n"));
  const auto files = event_files_of(folder.path());
  ASSERT_EQ(files.size(), 2u);
  const std::string session = records_of(text_of(files[1]))[1];
  EXPECT_EQ(fields_of(session)[1].value, 3u);
  EXPECT_EQ(fields_of(part(session, 7))[0].value, 1u);
  const std::string svg = text_of(folder.file("curves.svg"));
  EXPECT_THAT(svg, HasSubstr("loss: 9"));  // the value of step 6
  const std::size_t curve = svg.find("d=\"M");
  EXPECT_EQ(std::count(svg.begin() + static_cast<std::ptrdiff_t>(curve),
                       svg.begin() + static_cast<std::ptrdiff_t>(svg.find('"', curve + 3)), 'L'),
            13);
}

TEST(run_log, says_what_is_wrong) {
  const test::temporary_folder folder;
  run_log log(folder.file("run"));
  expect_error([&] { log.add_scalar("", 1, 0); }, {"a name is empty"});
  expect_error([&] { log.add_scalar("a\nb", 1, 0); }, {R"("a\nb")", "control character"});
  expect_error([&] { log.add_scalar("a\x7f", 1, 0); }, {"control character"});
  expect_error([&] { log.add_scalar("a\xc2\x85", 1, 0); }, {"control character"});
  expect_error([&] { log.add_scalar("\xff", 1, 0); }, {"no UTF-8"});
  expect_error([&] { log.add_scalar("loss", 1, -1); }, {"-1", "counted from 0"});
  expect_error([&] { log.hyper_parameters({{"a", 1}, {"a", 2}}); }, {"\"a\" is given twice"});
  expect_error([&] { log.hyper_parameters({{"a", "\xc0"}}); }, {"\"a\" is no UTF-8"});
  expect_error([&] { log.write_svg("not/there.svg"); }, {"not/there.svg cannot be written"});
  expect_error([&] { run_log second(folder.file("run")); }, {"written by another log now"});
  expect_error([] { run_log nowhere(""); }, {"empty"});
  folder.write("file", "x");
  expect_error([&] { run_log in_file(folder.file("file")); }, {"file cannot be made", "name another folder"});
  std::filesystem::create_directory(folder.file("theirs"));
  folder.write("theirs/scalars.csv", "a,b\n1,2\n");
  expect_error([&] { run_log theirs(folder.file("theirs")); }, {"theirs/scalars.csv is no log's"});
  folder.write("theirs/scalars.csv", "no line");
  expect_error([&] { run_log theirs(folder.file("theirs")); }, {"holds no whole line"});
  EXPECT_EQ(text_of(folder.file("theirs/scalars.csv")), "no line");
  folder.write("theirs/scalars.jsonl", "[]\n");
  expect_error([&] { run_log theirs(folder.file("theirs"), {.csv = false}); }, {"scalars.jsonl is no log's"});
  expect_error([&] { run_log early(folder.file("early"), {.purge_step = -1}); }, {"purge_step is -1"});
}

TEST(run_log, keeps_what_a_full_disk_does_not_take) {
  const test::temporary_folder folder;
  run_log log(folder.path(), {.event_files = false, .json_lines = false});
  for (int step = 0; step < 100; ++step) log.add_scalar("loss", step, step);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  rlimit little = before;
  little.rlim_cur = 64;  // of bytes in a file
  setrlimit(RLIMIT_FSIZE, &little);
  expect_error([&] { log.flush(); }, {"scalars.csv cannot be written: File too large", "flush() tries again"});
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);
  EXPECT_EQ(text_of(folder.file("scalars.csv")), "time,step,name,value\n");
  log.flush();
  EXPECT_EQ(read_table(folder.file("scalars.csv")).rows(), 100);
}

TEST(run_log, takes_scalars_of_several_threads_and_of_rank_0) {
  const test::temporary_folder folder;
  {
    run_log log(folder.file("run"));
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&log, t] {
        for (int step = 0; step < 250; ++step) log.add_scalar("thread " + std::to_string(t), t, step);
      });
    for (std::thread& t : threads) t.join();
  }
  EXPECT_EQ(read_table(folder.file("run/scalars.csv")).rows(), 1000);
  EXPECT_EQ(scalars_of(event_files_of(folder.file("run"))[0]).size(), 1000u);
  run_ranks(3, [&](communicator& ranks) {
    run_log log(folder.file("ranks"), ranks);
    log.add_scalar("rank", ranks.rank(), 0);
    log.write_svg("curves.svg");
  });
  EXPECT_THAT(read_table(folder.file("ranks/scalars.csv")).numbers("value"), ElementsAre(0));
}

/// What is written to stderr, a pseudo-terminal for as long as this lives.
class terminal {
 public:
  terminal() : other_(posix_openpt(O_RDWR | O_NOCTTY)), before_(dup(STDERR_FILENO)) {
    if (other_ < 0 || grantpt(other_) != 0 || unlockpt(other_) != 0) return;
    const int shown = open(ptsname(other_), O_RDWR | O_NOCTTY);
    dup2(shown, STDERR_FILENO);
    close(shown);
  }
  terminal(const terminal&) = delete;
  ~terminal() {
    dup2(before_, STDERR_FILENO);
    close(before_);
    close(other_);
  }
  /// What was written, up to the end of a line; it may come in pieces.
  std::string text() const {
    std::string all;
    pollfd waited{other_, POLLIN, 0};
    constexpr int most_milliseconds = 5000;
    while (!all.ends_with('\n') && poll(&waited, 1, most_milliseconds) == 1) {
      char bytes[4096];
      const auto count = read(other_, bytes, sizeof bytes);
      if (count <= 0) break;
      all.append(bytes, static_cast<std::size_t>(count));
    }
    return all;
  }

 private:
  int other_, before_;
};

TEST(run_log, tells_a_terminal_and_nobody_else_how_far_it_is) {
  const test::temporary_folder folder;
  std::string told;
  {
    const terminal shown;
    {
      run_log log(folder.path(), {.steps = 200});
      log.add_scalar("loss/train", 0.43217, 9);
    }
    told = shown.text();
  }
  EXPECT_EQ(told, "\r10/200  5%  loss/train 0.4322\033[K\r10/200  5%  loss/train 0.4322\033[K\r\n");
  testing::internal::CaptureStderr();  // by a file
  {
    run_log log(folder.path(), {.steps = 200});
    log.add_scalar("loss/train", 0.43217, 9);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(run_log, draws_curves_with_marks_and_names) {
  const test::temporary_folder folder;
  run_log log(folder.path());
  for (int step = 0; step <= 100; ++step) {
    log.add_scalar("loss/train", 1.0 / (1 + step), step);
    if (step % 10 == 0) log.add_scalar("loss/val <b> & \"c\"", 1.5 / (1 + step), step);
    log.add_scalar("rate", step == 50 ? nan_value : 1e-3, step);
  }
  log.write_svg("curves.svg");
  log.write_svg(folder.file("again.svg"));
  const std::string svg = text_of(folder.file("curves.svg"));
  EXPECT_EQ(svg, text_of(folder.file("again.svg")));
  for (const char* has :
       {"<svg xmlns=\"http://www.w3.org/2000/svg\"", "prefers-color-scheme:dark", ">loss</text>", ">rate</text>",
        "loss/val &lt;b&gt; &amp; &quot;c&quot;: 0.01485", ">100</text>", ">0.5</text>", ">step</text>"})
    EXPECT_THAT(svg, HasSubstr(has));
  const std::string xml =
      "python3 -c \"import sys, xml.dom.minidom as d; d.parse(sys.argv[1])\" " + folder.file("curves.svg");
  EXPECT_EQ(std::system(xml.c_str()), 0);
  const std::size_t rate = svg.find("M", svg.find(">rate</text>"));
  EXPECT_EQ(std::count(svg.begin() + static_cast<std::ptrdiff_t>(rate),
                       svg.begin() + static_cast<std::ptrdiff_t>(svg.find('"', rate)), 'M'),
            2);
}

struct decimal_comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
};
TEST(run_log, writes_numbers_alike_in_every_locale) {
  const test::temporary_folder folder;
  const std::locale before = std::locale::global(std::locale(std::locale(), new decimal_comma));
  {
    run_log log(folder.path());
    log.add_scalar("loss", 1234.5, 1000);
    log.write_svg("curves.svg");
  }
  std::locale::global(before);
  EXPECT_THAT(text_of(folder.file("scalars.jsonl")),
              HasSubstr("\"step\": 1000, \"name\": \"loss\", \"value\": 1234.5}"));
  EXPECT_THAT(text_of(folder.file("curves.svg")), HasSubstr("loss: 1234"));
}

}  // namespace
}  // namespace stg
