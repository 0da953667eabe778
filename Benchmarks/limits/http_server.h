/* The HTTP server of constant.c, insert.c and read.c: plain libmicrohttpd with its fastest settings. */
#ifndef TIDEGATE_BENCHMARKS_HTTP_SERVER_H
#define TIDEGATE_BENCHMARKS_HTTP_SERVER_H

#include <microhttpd.h>
#include <stddef.h>

struct http_handler {
  MHD_AccessHandlerCallback answer;
  /* The members below are optional. */
  MHD_RequestCompletedCallback completed;
  /* Called before the server stops. The function must resume all suspended connections. */
  void (*stopping)(void);
};

/* Answers requests at `port` of 127.0.0.1 until SIGTERM or SIGINT. Exits with an error if libmicrohttpd cannot start. */
void http_server_run(int port, struct http_handler handler);

/* Answers with JSON. `body`, `length` and `mode` are passed to `MHD_create_response_from_buffer`. */
enum MHD_Result http_answer(
    struct MHD_Connection *connection, unsigned status, void *body, size_t length, enum MHD_ResponseMemoryMode mode);

/* Exits with the error message `what` if `is_fine` is 0. */
void need(int is_fine, const char *what);

#endif
