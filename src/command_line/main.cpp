// The program stg.
#include "tool.hpp"  // run_tool

int main(int count, char** words) { return stg::command_line::run_tool(count, words); }
