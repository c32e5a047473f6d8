// Checks docs/architecture.md against the lists of pipeline.hpp: every list stands there as it is, and every pass has a
// row in the table, in the order in which passes come first.
#include <stg/codegen/cuda/executable.hpp>  // gpu::plan_passes
#include <stg/pipeline.hpp>                 // canonical_passes

#include <fstream>   // ifstream
#include <iostream>  // cerr
#include <sstream>   // ostringstream
#include <string>    // string
#include <vector>    // vector

namespace {

std::vector<std::string> names, lists;

template <class Passes> void list(const std::string& called) {
  std::string line = called;
  line.resize(12, ' ');
  const char* between = "";
  for (const auto& step : Passes::list) {
    line += between + std::string(step.name);
    between = " · ";
    names.push_back(step.name);
  }
  lists.push_back(line + "\n");
}

}  // namespace

int main(int, char** arguments) {
  using namespace stg;
  std::ifstream file(arguments[1]);
  std::ostringstream content;
  content << file.rdbuf();
  const std::string page = content.str();

  list<pipeline::canonical_passes>("canonical");
  list<pipeline::inference_passes>("inference");
  list<pipeline::joint_passes>("joint");
  names.push_back("save");
  list<pipeline::forward_passes>("forward");
  list<pipeline::gradient_passes>("gradient");
  names.push_back("fuse");
  names.push_back("plan");
  list<pipeline::plan_passes>("plan");
  list<gpu::plan_passes>("plan, GPU");

  bool right = true;
  const auto wrong = [&](const std::string& what) {
    std::cerr << arguments[1] << ": " << what << '\n';
    right = false;
  };
  for (const std::string& line : lists)
    if (page.find(line) == std::string::npos) wrong("has no line\n" + line);
  const std::size_t table = page.find("| pass | what it does |");
  if (table == std::string::npos) wrong("has no table of passes");
  for (const std::string& name : names) {
    const std::size_t row = page.find("\n| `" + name + "`", table), second = page.find(", `" + name + "` |", table);
    if (row == std::string::npos && second == std::string::npos) wrong("has no row for " + name);
  }
  return right ? 0 : 1;
}
