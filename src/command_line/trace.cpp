// stg trace: which unit of a model took the time, and when.
#include <stg/timeline.hpp>  // timeline

#include "answer.hpp"      // answer
#include "model_call.hpp"  // model_call, trial
#include "tool.hpp"        // add_command

namespace stg::command_line {

namespace {

struct trace_options {
  call_words call{};
  std::string path{};
  std::int64_t runs = 1;
  bool as_json = false;
};

void trace(const trace_options& asked) {
  const model_call call(asked.call);
  trial once(call);
  once();  // which asks for memory
  std::optional<timeline> noted;
  if (asked.path.empty()) noted.emplace();
  else noted.emplace(asked.path);
  for (std::int64_t k = 0; k < asked.runs; ++k) once();
  answer all;
  std::vector<json_object> units;
  for (const unit_time& u : noted->units())
    units.push_back(json_object()
                        .add("program", u.program)
                        .add("unit", u.unit)
                        .add("what", u.what)
                        .add("runs", u.runs)
                        .add("seconds", u.seconds)
                        .add("bytes", u.bytes)
                        .add("threads", u.threads));
  all.json.add("units", units);
  all.text = noted->table();
  if (!asked.path.empty()) {
    all.json.add("file", asked.path);
    all.title("written to " + asked.path + ", for ui.perfetto.dev or chrome://tracing");
  }
  noted.reset();  // which writes the file
  print(all, asked.as_json);
}

}  // namespace

void add_trace(tool& to) {
  add_command<trace_options>(
      to, "trace", "which unit of a model took the time", "stg trace gcn --graph cora --input x=@features -o gcn.json",
      [](CLI::App& command, trace_options& o) {
        add_call_options(command, o.call);
        add_trial_options(command, o.call);
        command.add_option("-o,--output", o.path, "file for ui.perfetto.dev and chrome://tracing")->type_name(a_path);
        add_number(command, "--runs", o.runs, 1, 1'000'000, "calls that are noted, behind one that is not");
        add_json(command, o.as_json);
      },
      trace);
}

}  // namespace stg::command_line
