/* A program of C with an installed library's programs. */
#include <stdio.h>
#include <sums.h>

int main(void) {
  const int64_t src[] = {0, 1}, dst[] = {2, 2}, rows[] = {3};
  const float x[] = {1, 2, 4};
  float out[3];
  sums_sum_inputs inputs = {{x, rows, 1, STG_F32}};
  sums_sum_outputs outputs = {{out, rows, 1, STG_F32}};
  sums_graph *graph = sums_graph_make(3, 2, src, dst);
  int failed = graph == NULL || sums_sum(graph, &inputs, &outputs) != 0;
  if (failed) fprintf(stderr, "%s\n", sums_error());
  sums_graph_free(graph);
  return failed || out[0] != 0 || out[2] != 3;
}
