// Writes random programs as C++ tests, and random scans in files of their own.
// Every other one is called plainly and the rest in training, which halves what a compiler has to do for one.
// usage: write_programs FOLDER SEED FILES PROGRAMS_IN_EACH FILES_OF_SCANS SCANS_IN_EACH
#include "program_text.hpp"     // lambda_of
#include "random_programs.hpp"  // small_program
#include "random_scans.hpp"     // draw_small_scan

#include <cstdlib>   // strtoull
#include <fstream>   // ofstream
#include <iostream>  // cerr
#include <string>    // string

using namespace stg;
using namespace stg::test;

namespace {

/// One test of a program in a namespace of its own. check: the function that runs it.
void write_test(std::ostream& to, std::uint64_t seed, const std::string& kind, const std::string& check,
                const ir::program& p, const std::string& lambda) {
  bool trains = false;
  for (const ir::input& in : p.inputs) trains = trains || in.trainable;
  const std::string number = std::to_string(seed), name = kind + "_" + number;
  to << "\nnamespace " << name << " {\n\n"
     << lambda << "\n}  // namespace " << name << "\n\nTEST(compiled_" << kind << "s, seed_" << number
     << ") { stg::test::" << check << '<' << name << "::program, " << (trains && seed % 2 == 0 ? "true" : "false")
     << ">(" << number << "); }\n";
}

/// Files of so many tests each, by write(stream, seed). Whether all could be written.
template <class Write>
bool write_files(const std::string& folder, const std::string& kind, std::uint64_t first, std::uint64_t files,
                 std::uint64_t each, const Write& write) {
  for (std::uint64_t f = 0; f < files; ++f) {
    const std::string path = folder + "/" + kind + "s_" + std::to_string(f) + ".cpp";
    std::ofstream to(path);
    to << "// Random " << kind << "s, written by write_programs.\n#include \"compiled_check.hpp\"\n";
    for (std::uint64_t k = 0; k < each; ++k) write(to, first * 100000 + f * each + k);
    if (to.flush()) continue;
    std::cerr << "write_programs: cannot write " << path << '\n';
    return false;
  }
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 7) {
    std::cerr << "usage: write_programs FOLDER SEED FILES PROGRAMS_IN_EACH FILES_OF_SCANS SCANS_IN_EACH\n";
    return 2;
  }
  const auto number = [&](int k) { return std::strtoull(arguments[k], nullptr, 10); };
  const std::string folder = arguments[1];
  const bool written =
      write_files(folder, "program", number(2), number(3), number(4),
                  [](std::ostream& to, std::uint64_t seed) {
                    const ir::program p = small_program(seed).program;
                    write_test(to, seed, "program", "check_compiled", p, lambda_of(p));
                  }) &&
      write_files(folder, "scan", number(2), number(5), number(6), [](std::ostream& to, std::uint64_t seed) {
        const ir::program p = draw_small_scan(seed).scan.program;
        write_test(to, seed, "scan", "check_compiled_scan", p, lambda_of_scan(p));
      });
  return written ? 0 : 1;
}
