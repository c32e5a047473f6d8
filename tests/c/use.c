/* Two libraries in one program of C99: each has its graphs, its errors and its types of arrays. */
#include "layers.h"
#include "stg_test_c.h"

#include <stdio.h>
#include <string.h>

static int failures = 0;
static void expect(int holds, const char *what) {
  if (!holds) {
    ++failures;
    fprintf(stderr, "not so: %s; layers says '%s', stg_test_c says '%s'\n", what, layers_error(), stg_test_c_error());
  }
}

int main(void) {
  const int64_t src[] = {0, 1, 1}, dst[] = {1, 0, 1}, of_x[] = {2, 1}, of_w[] = {3}, of_message[] = {3, 1};
  const float eps = 0, x[] = {2, 3}, w[] = {1, 10, 100};
  float y[2], message[3], of_y[] = {1, 1}, gradient[2];
  stg_test_c_graph *graph = stg_test_c_graph_make(2, 3, src, dst);
  layers_graph *other = layers_graph_make(2, 3, src, dst);
  stg_test_c_weighted_inputs in = {.eps = {&eps, NULL, 0, STG_F32}, .x = {x, of_x, 2, STG_F32}, .w = {w, of_w, 1, STG_F32}};
  const stg_test_c_weighted_outputs out = {.y = {y, of_x, 2, STG_F32}, .message = {message, of_message, 2, STG_F32}};
  const stg_test_c_weighted_cotangents cotangents = {.y = {of_y, of_x, 2, STG_F32}};
  const stg_test_c_weighted_gradients gradients = {.x = {gradient, of_x, 2, STG_F32}};
  layers_gat_inputs nothing;
  layers_gat_outputs scores;
  stg_test_c_tape *tape = NULL;

  expect(graph != NULL && other != NULL, "graphs are made");
  expect(stg_test_c_weighted(graph, &in, &out) == 0, "a program runs");
  expect(y[0] == 32 && y[1] == 305 && message[0] == 2 && message[1] == 30 && message[2] == 300, "its results are right");
  expect(stg_test_c_weighted_record(graph, &in, NULL, &tape) == 0 && tape != NULL, "a call is recorded");
  expect(stg_test_c_weighted_backward(tape, &cotangents, &gradients) == 0, "and differentiated");
  expect(gradient[0] == 2 && gradient[1] == 111, "its gradient is right");
  expect(stg_test_c_weighted_backward(tape, &cotangents, &gradients) != 0, "once");
  expect(layers_error()[0] == 0, "nothing is wrong with the other library");

  memset(&nothing, 0, sizeof nothing);
  memset(&scores, 0, sizeof scores);
  expect(layers_gat(other, &nothing, &scores) != 0, "arrays without a type are refused");
  expect(strstr(layers_error(), "which is none") != NULL, "in words");
  in.x.type = STG_I32;
  expect(stg_test_c_weighted(graph, &in, &out) != 0, "another type is refused");
  expect(strcmp(stg_test_c_error(), "stg: input 'x' takes STG_F32, not STG_I32") == 0, "in words of its own");

  stg_test_c_tape_free(tape);
  stg_test_c_tape_free(NULL);
  stg_test_c_graph_free(graph);
  stg_test_c_graph_free(NULL);
  layers_graph_free(other);
  return failures;
}
