#ifndef STG_C_ARRAYS
#define STG_C_ARRAYS
/* The type of an array's numbers: 4 and 8 bytes, integers of 4 bytes, truth of 1 byte, 0 or 1; numbers of 2 bytes. */
enum stg_type { STG_F32 = 1, STG_F64 = 2, STG_I32 = 3, STG_BOOL = 4, STG_BF16 = 5, STG_F16 = 6 };

/* An array that is read: its sizes, `rank` of them, and its numbers, row after row. A number alone has rank 0. */
typedef struct stg_input {
  const void *data;
  const int64_t *shape;
  int32_t rank, type;
} stg_input;
/* The same of one that is written. */
typedef struct stg_output {
  void *data;
  const int64_t *shape;
  int32_t rank, type;
} stg_output;

/* Of a graph of several kinds: a set of vertices, and a relation, whose edge i goes from vertex src[i] of its source to
   vertex dst[i] of its destination. */
typedef struct stg_vertex_set {
  const char *name;
  int64_t vertices;
} stg_vertex_set;
typedef struct stg_relation {
  const char *name, *source, *destination;
  int64_t edges;
  const int64_t *src, *dst;
} stg_relation;
#endif
