#ifndef TIDEGATE_CMICROHTTPD_SHIM_H
#define TIDEGATE_CMICROHTTPD_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <microhttpd.h>

/* The settings of MHD_start_daemon that Tidegate uses. Swift cannot call variadic functions. */
struct tidegate_mhd_settings {
  unsigned int threads; /* 2 or more: libmicrohttpd ignores a pool of one */
  unsigned int connections_max_per_pool;
  unsigned int idle_timeout_seconds;
  size_t memory_bytes_per_connection;
  void *context; /* handed to every callback */
  void *(*request_line)(void *context, const char *target, struct MHD_Connection *connection);
  MHD_AccessHandlerCallback access;
  MHD_RequestCompletedCallback completed;
  MHD_NotifyConnectionCallback connection_changed;
};

/* Keeps percent escapes. Decoding before routing would turn `%2F` into a separator and truncate the path at `%00`. */
static inline size_t tidegate_mhd_keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
  (void) context;
  (void) connection;
  return strlen(text);
}

/* MHD_CONNECTION_NOTIFY_CLOSED: Swift's importer shortens its name to an invalid one. */
static inline bool tidegate_mhd_is_closed(enum MHD_ConnectionNotificationCode change) {
  return change == MHD_CONNECTION_NOTIFY_CLOSED;
}

/* The descriptor of a connection's socket. */
static inline int tidegate_mhd_descriptor(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

/* The value attached to a connection by the callback for new connections. */
static inline void *tidegate_mhd_socket_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info == NULL ? NULL : info->socket_context;
}

/* The size of a request head in bytes, from the method to the empty line after the headers. */
static inline size_t tidegate_mhd_head_size(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info == NULL ? 0 : info->header_size;
}

/* True before libmicrohttpd 1.0: the texts of a request head stay at their receive position, each terminated by NUL.
   Later releases themselves refuse the malformed heads that this layout reveals. */
static inline bool tidegate_mhd_keeps_heads_in_place(void) { return MHD_VERSION < 0x01000000; }

/* Swift cannot import macros that contain casts. */
static const ssize_t tidegate_mhd_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;

/* Starts a daemon without a listening socket; MHD_add_connection adds its connections. Returns NULL on failure. */
static inline struct MHD_Daemon *tidegate_mhd_start(const struct tidegate_mhd_settings *settings) {
  return MHD_start_daemon(
      MHD_USE_AUTO_INTERNAL_THREAD | MHD_USE_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET, 0, NULL, NULL,
      settings->access, settings->context,
      MHD_OPTION_THREAD_POOL_SIZE, settings->threads,
      MHD_OPTION_CONNECTION_LIMIT, settings->connections_max_per_pool,
      MHD_OPTION_CONNECTION_TIMEOUT, settings->idle_timeout_seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->memory_bytes_per_connection,
      MHD_OPTION_UNESCAPE_CALLBACK, &tidegate_mhd_keep_escapes, NULL,
      MHD_OPTION_URI_LOG_CALLBACK, settings->request_line, settings->context,
      MHD_OPTION_NOTIFY_COMPLETED, settings->completed, settings->context,
      MHD_OPTION_NOTIFY_CONNECTION, settings->connection_changed, settings->context,
      MHD_OPTION_END);
}

#endif
