/* What the limits that speak HTTP share: libmicrohttpd as fast as it goes, and nothing around it. */
#ifndef TIDEGATE_BENCHMARKS_HTTP_SERVER_H
#define TIDEGATE_BENCHMARKS_HTTP_SERVER_H

#include <microhttpd.h>
#include <stddef.h>

struct http_handler {
  MHD_AccessHandlerCallback answer;
  /* The following may be left out. */
  MHD_RequestCompletedCallback completed;
  /* Called before the server stops; it has to resume what is suspended. */
  void (*stopping)(void);
};

/* Answers on 127.0.0.1 until SIGTERM or SIGINT; ends the program where the port cannot be had. */
void http_server_run(int port, struct http_handler handler);

/* Answers with JSON. Everything is as `MHD_create_response_from_buffer` has it. */
enum MHD_Result http_answer(
    struct MHD_Connection *connection, unsigned status, void *body, size_t length, enum MHD_ResponseMemoryMode mode);

/* Ends the program with one line where `is_fine` is 0. */
void need(int is_fine, const char *what);

#endif
