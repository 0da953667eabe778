#include "http_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void need(int is_fine, const char *what) {
  if (is_fine) return;
  fprintf(stderr, "limit: %s\n", what);
  exit(1);
}

void http_server_run(int port, struct http_handler handler) {
  sigset_t ending;
  sigemptyset(&ending);
  sigaddset(&ending, SIGTERM);
  sigaddset(&ending, SIGINT);
  /* Blocks SIGTERM and SIGINT in this thread and in all threads that are created later, which inherit the signal mask. */
  sigprocmask(SIG_BLOCK, &ending, NULL);
  signal(SIGPIPE, SIG_IGN);

  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short) port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  /* At least two threads, because libmicrohttpd ignores a pool of one thread. */
  unsigned threads = cores < 2 ? 2 : (unsigned) cores;
  /* As in Tidegate, libmicrohttpd chooses how the threads wait: epoll on Linux, poll on macOS. */
  struct MHD_Daemon *daemon = MHD_start_daemon(
      MHD_USE_AUTO_INTERNAL_THREAD | (handler.stopping ? MHD_ALLOW_SUSPEND_RESUME : 0), (unsigned short) port, NULL, NULL,
      handler.answer, NULL, MHD_OPTION_THREAD_POOL_SIZE, threads, MHD_OPTION_SOCK_ADDR, &address,
      MHD_OPTION_NOTIFY_COMPLETED, handler.completed, NULL, MHD_OPTION_END);
  need(daemon != NULL, "libmicrohttpd cannot start");
  int received;
  sigwait(&ending, &received);
  if (handler.stopping) handler.stopping();
  MHD_stop_daemon(daemon);
}

enum MHD_Result http_answer(
    struct MHD_Connection *connection, unsigned status, void *body, size_t length, enum MHD_ResponseMemoryMode mode) {
  struct MHD_Response *response = MHD_create_response_from_buffer(length, body, mode);
  MHD_add_response_header(response, "Content-Type", "application/json; charset=utf-8");
  enum MHD_Result result = MHD_queue_response(connection, status, response);
  MHD_destroy_response(response);
  return result;
}
