// stg's side of the comparison: reads commands on stdin, answers each with one line of JSON.
//
//   prepare CASE VARIANT FOLDER   binds the case; its inputs are written to FOLDER
//   run VARIANT N                 {"ms": each of N runs on average}
//   results VARIANT FOLDER        writes the arrays to compare
//   threads N                     from now on
//   variants CASE                 the ways in which stg can do the case
//   limits GRAPH                  what the machine can do at most; rows of 64 floats in the order of the graph
//   drop                          gives the memory of all that is prepared back
//   versions
#include "../../graphs.hpp"  // named
#include "work.hpp"          // make, parse_case

#include <stg/runtime/isa.hpp>       // isa
#include <stg/runtime/parallel.hpp>  // threads, set_threads
#include <stg/runtime/probe.hpp>     // gather, memory_bandwidth, arithmetic_peak

#include <malloc.h>  // malloc_trim

#include <algorithm>   // min
#include <chrono>      // steady_clock
#include <exception>   // exception
#include <filesystem>  // create_directories
#include <fstream>     // ifstream, ofstream
#include <iostream>    // cin, cout
#include <map>         // map
#include <sstream>     // istringstream

namespace {

/// A field of /proc/self/status in bytes: VmRSS, or VmHWM, the most since the peak was reset.
long long resident(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind(field + ":", 0) == 0) return std::stoll(line.substr(field.size() + 1)) * 1024;
  return 0;
}

class session {
 public:
  std::string answer(const std::string& line) {
    std::istringstream words(line);
    std::string command;
    words >> command;
    if (command == "prepare") return prepare(words);
    if (command == "run") return run(words);
    if (command == "results") return results(words);
    if (command == "threads") return threads(words);
    if (command == "variants") return variants(words);
    if (command == "limits") return limits(words);
    if (command == "drop") return drop();
    if (command == "versions")
      return R"({"stg": ")" STG_VERSION R"(", "compiler": ")" STG_COMPILER R"(", "isa": ")" + std::string(stg::isa()) +
             R"("})";
    throw std::runtime_error("unknown command '" + command + "'");
  }

 private:
  std::string prepare(std::istringstream& words) {
    std::string which, variant, folder;
    words >> which >> variant >> folder;
    auto& work = prepared_[variant] = peers::make(peers::parse_case(which), variant, folder);
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << 5;
    const long long before = resident("VmRSS");
    work->run();
    return R"({"edges": )" + std::to_string(work->edges()) + R"(, "planned_bytes": )" +
           std::to_string(work->planned_bytes()) + R"(, "result_bytes": )" + std::to_string(work->result_bytes()) +
           R"(, "measured_bytes": )" + std::to_string(resident("VmHWM") - before) + "}";
  }
  std::string run(std::istringstream& words) {
    peers::work& work = find(words);
    int times = 1;
    words >> times;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < times; ++i) work.run();
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    return R"({"ms": )" + std::to_string(elapsed.count() / times) + "}";
  }
  std::string results(std::istringstream& words) {
    peers::work& work = find(words);
    std::string folder;
    words >> folder;
    std::filesystem::create_directories(folder);
    work.write_results(folder);
    return "{}";
  }
  std::string threads(std::istringstream& words) {
    int n = 0;
    words >> n;
    stg::set_threads(n);
    return R"({"threads": )" + std::to_string(stg::threads()) + "}";
  }
  std::string variants(std::istringstream& words) {
    std::string which, list;
    words >> which;
    for (const std::string& name : peers::variants(peers::parse_case(which)))
      list += (list.empty() ? "\"" : ", \"") + name + "\"";
    return R"({"variants": [)" + list + "]}";
  }
  std::string limits(std::istringstream& words) {
    std::string name;
    words >> name;
    const auto g = graphs::named(name);
    if (!g) throw std::runtime_error("graph '" + name + "' is not there");
    const double rows = static_cast<double>(g->edges()) * 64 * sizeof(float);
    stg::probe::gather floor(*g, 64);
    double seconds = floor.read(0);
    for (int distance : stg::probe::gather::distances)
      for (int pass = 0; pass < 5; ++pass) seconds = std::min(seconds, floor.read(distance));
    return R"({"gflops": )" + std::to_string(stg::probe::arithmetic_peak() * 1e-9) + R"(, "triad_gbs": )" +
           std::to_string(stg::probe::memory_bandwidth().triad * 1e-9) + R"(, "gather_gbs": )" +
           std::to_string(rows / seconds * 1e-9) + "}";
  }
  std::string drop() {
    prepared_.clear();
    malloc_trim(0);
    return "{}";
  }
  peers::work& find(std::istringstream& words) {
    std::string variant;
    words >> variant;
    const auto at = prepared_.find(variant);
    if (at == prepared_.end()) throw std::runtime_error("'" + variant + "' is not prepared");
    return *at->second;
  }
  std::map<std::string, std::unique_ptr<peers::work>> prepared_;  // by variant
};

}  // namespace

int main() {
  session s;
  for (std::string line; std::getline(std::cin, line);) {
    try {
      std::cout << s.answer(line) << std::endl;
    } catch (const std::exception& e) {
      std::string text;
      for (const char* c = e.what(); *c != 0; ++c)
        if (*c != '"' && *c != '\\' && *c != '\n') text += *c;
      std::cout << R"({"error": ")" << text << "\"}" << std::endl;
    }
  }
}
