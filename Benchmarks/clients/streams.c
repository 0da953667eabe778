/* Reads a gateway's change feed over many event streams at once and counts the events.

     streams PORT STREAMS EVENTS HEADER…

   Prints "open" when all streams are open. Then waits until all streams together have received STREAMS times EVENTS changes, or
   until no stream has received anything for ten seconds. Then prints four numbers: the changes received, the changes missing, the
   changes whose number does not follow the stream's previous number, and the seconds between the first and the last change. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { line_bytes_max = 64, silence_milliseconds_max = 10000 };

struct stream {
  int socket;
  int is_open;
  /* The part of the HTTP response to parse next. The order is: head, size of a chunk, chunk, empty line, size of a chunk, … */
  enum { in_head, in_size, in_chunk, behind_chunk } place;
  int is_line_empty;
  size_t chunk_left;
  long count;
  /* The number of the last received change in the change feed; 0 before the first change. */
  long number;
  /* The value of the `id:` line of the current event. */
  long id;
  /* The first bytes of the current line, enough for the id or the type of an event. */
  char line[line_bytes_max];
  size_t length;
};

static long out_of_order;

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static int connected(int port, const char *request) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short) port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int stream = socket(AF_INET, SOCK_STREAM, 0);
  if (stream < 0 || connect(stream, (struct sockaddr *) &address, sizeof address) != 0) fail("streams: connect");
  if (send(stream, request, strlen(request), 0) != (ssize_t) strlen(request)) fail("streams: send");
  return stream;
}

/* Handles a received line. `stream->line` holds only the first bytes of a long line. */
static void take_line(struct stream *stream) {
  stream->line[stream->length] = 0;
  if (strncmp(stream->line, "id: ", 4) == 0) {
    stream->id = atol(stream->line + 4);
    /* The first `id:` line shows that the stream is open. The id is the position in the feed at which the stream starts. */
    stream->is_open = 1;
  } else if (strcmp(stream->line, "event: change") == 0) {
    if (stream->number != 0 && stream->id != stream->number + 1) out_of_order++;
    stream->number = stream->id;
    stream->count++;
  }
  stream->length = 0;
}

static void take_text(struct stream *stream, const char *bytes, size_t count) {
  const char *end = bytes + count;
  while (bytes < end) {
    const char *newline = memchr(bytes, '\n', (size_t) (end - bytes));
    size_t length = (size_t) ((newline ? newline : end) - bytes);
    size_t room = line_bytes_max - 1 - stream->length;
    size_t kept = length < room ? length : room;
    memcpy(stream->line + stream->length, bytes, kept);
    stream->length += kept;
    if (newline) take_line(stream);
    bytes += length + (newline != NULL);
  }
}

static int digit(char letter) { return letter <= '9' ? letter - '0' : (letter | 0x20) - 'a' + 10; }

/* Parses received bytes of the HTTP response. The bytes may end in the middle of a line. */
static void take(struct stream *stream, const char *bytes, size_t count) {
  for (const char *end = bytes + count; bytes < end;) {
    if (stream->place == in_chunk) {
      size_t there = (size_t) (end - bytes);
      size_t length = there < stream->chunk_left ? there : stream->chunk_left;
      take_text(stream, bytes, length);
      bytes += length;
      stream->chunk_left -= length;
      if (stream->chunk_left == 0) stream->place = behind_chunk;
      continue;
    }
    char letter = *bytes++;
    if (letter == '\r') continue;
    if (stream->place == in_head) {
      if (letter == '\n' && stream->is_line_empty) stream->place = in_size;
      stream->is_line_empty = letter == '\n';
    } else if (stream->place == behind_chunk) {
      stream->place = in_size;
    } else if (letter == '\n') {
      stream->place = in_chunk;
    } else {
      stream->chunk_left = 16 * stream->chunk_left + (size_t) digit(letter);
    }
  }
}

int main(int count, char **arguments) {
  if (count < 4) {
    fprintf(stderr, "usage: streams PORT STREAMS EVENTS HEADER...\n");
    return 1;
  }
  int port = atoi(arguments[1]), streams = atoi(arguments[2]);
  long expected = atol(arguments[3]) * streams;
  char request[4096];
  int length = snprintf(
      request, sizeof request, "GET /changes?since=latest HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAccept: text/event-stream\r\n",
      port);
  for (int i = 4; i < count; i++)
    length += snprintf(request + length, sizeof request - (size_t) length, "%s\r\n", arguments[i]);
  snprintf(request + length, sizeof request - (size_t) length, "\r\n");

  int poll = epoll_create1(0);
  struct stream *all = calloc((size_t) streams, sizeof *all);
  for (int i = 0; i < streams; i++) {
    all[i].socket = connected(port, request);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &all[i]};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, all[i].socket, &event) != 0) fail("streams: epoll_ctl");
  }

  static char buffer[1 << 18];
  struct epoll_event ready[256];
  long received = 0;
  int open = 0;
  double first = 0, last = 0;
  while (received < expected) {
    int found = epoll_wait(poll, ready, 256, silence_milliseconds_max);
    if (found < 0 && errno == EINTR) continue;
    if (found <= 0) break;
    for (int i = 0; i < found; i++) {
      struct stream *stream = ready[i].data.ptr;
      ssize_t bytes = recv(stream->socket, buffer, sizeof buffer, 0);
      if (bytes <= 0) {
        /* The gateway has closed this stream. Changes that the stream has not received count as missing. */
        close(stream->socket);
        continue;
      }
      long before = stream->count;
      int was_open = stream->is_open;
      take(stream, buffer, (size_t) bytes);
      received += stream->count - before;
      if (stream->count > before) {
        last = seconds();
        if (first == 0) first = last;
      }
      open += stream->is_open - was_open;
      if (open == streams && !was_open) {
        puts("open");
        fflush(stdout);
      }
    }
  }
  printf("%ld %ld %ld %.6f\n", received, expected - received, out_of_order, last - first);
}
