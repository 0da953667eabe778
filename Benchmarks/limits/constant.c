/* A server that does nothing but HTTP, to find the upper limit of HTTP speed: libmicrohttpd answers every request with the same
   object.

     constant PORT */
#include "http_server.h"

#include <stdlib.h>

static enum MHD_Result answer(
    void *context, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
    const char *upload, size_t *upload_size, void **request) {
  static int is_begun;
  static char body[] =
      "{\"objectId\":\"83XRcolBXK\",\"createdAt\":\"2026-11-21T20:13:37.437Z\",\"updatedAt\":\"2026-11-21T20:13:37.437Z\","
      "\"name\":\"Object 2802\",\"group\":\"g00012\",\"rank\":998262,\"shade\":46,\"counter\":0,\"done\":false,"
      "\"at\":{\"__type\":\"Date\",\"iso\":\"2027-01-03T12:00:00.000Z\"},\"tags\":[\"t27\"],"
      "\"note\":\"ovRjfuRSfbRQHDsRpJj3EmTssAkbN1\"}";
  (void) context, (void) url, (void) method, (void) version, (void) upload, (void) upload_size;
  /* libmicrohttpd first calls this function with only the headers. A response to that call would close the connection. */
  if (!*request) {
    *request = &is_begun;
    return MHD_YES;
  }
  return http_answer(connection, MHD_HTTP_OK, body, sizeof body - 1, MHD_RESPMEM_PERSISTENT);
}

int main(int count, char **arguments) {
  need(count == 2, "usage: constant PORT");
  http_server_run(atoi(arguments[1]), (struct http_handler){.answer = answer});
}
