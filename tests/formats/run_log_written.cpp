// Writes the log of a run that is ended and resumed, for what reads it: run_log_written FOLDER.
#include <stg/run_log.hpp>  // run_log

#include <cstdint>   // int64_t
#include <cstdio>    // fprintf
#include <limits>    // numeric_limits
#include <optional>  // nullopt

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: run_log_written FOLDER\n");
    return 2;
  }
  for (const std::int64_t begin : {0, 60}) {
    stg::run_log log(argv[1],
                     {.steps = 110, .purge_step = begin == 0 ? std::nullopt : std::optional<std::int64_t>(begin)});
    log.hyper_parameters(
        {{"learning rate", 0.01}, {"heads", 8}, {"self loops", true}, {"model", "gat, \"v2\" of \xc3\xa9t\xc3\xa9"}});
    for (std::int64_t step = begin; step < begin + 80; ++step) {
      log.add_scalar("loss/train", 1.0 / static_cast<double>(1 + step) + (begin == 0 ? 0 : 5), step);
      log.add_scalar("loss/\"val\", \xc3\xa9", 0.25 * static_cast<double>(step), step);
    }
    log.add_scalar("strange/nan", std::numeric_limits<double>::quiet_NaN(), begin + 79);
    log.add_scalar("strange/infinite", -std::numeric_limits<double>::infinity(), begin + 79);
    log.add_scalar("strange/small", 1e-300, std::int64_t{1} << 40);
    log.write_svg("curves.svg");
  }
}
