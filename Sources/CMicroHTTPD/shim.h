#ifndef TIDEGATE_CMICROHTTPD_SHIM_H
#define TIDEGATE_CMICROHTTPD_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <microhttpd.h>

/* The settings of MHD_start_daemon that Tidegate uses. Swift cannot call this variadic function itself. */
struct tidegate_mhd_settings {
  unsigned int threads; /* at least 2: libmicrohttpd ignores a pool of one thread */
  unsigned int connections_max_per_pool;
  unsigned int idle_timeout_seconds;
  size_t memory_bytes_per_connection;
  void *context; /* passed to every callback */
  const char *certificate; /* the certificate chain in PEM; NULL for a server without TLS */
  const char *private_key; /* in PEM */
  void *(*request_line)(void *context, const char *target, struct MHD_Connection *connection);
  MHD_AccessHandlerCallback access;
  MHD_RequestCompletedCallback completed;
  MHD_NotifyConnectionCallback connection_changed;
};

/* Leaves the percent escapes of a URL in place. If they were decoded before routing, `%2F` would become a separator, and `%00`
   would cut the path. */
static inline size_t tidegate_mhd_keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
  (void) context;
  (void) connection;
  return strlen(text);
}

/* Whether a connection was closed. Swift cannot use the name MHD_CONNECTION_NOTIFY_CLOSED, because the importer shortens it
   to an invalid one. */
static inline bool tidegate_mhd_is_closed(enum MHD_ConnectionNotificationCode change) {
  return change == MHD_CONNECTION_NOTIFY_CLOSED;
}

/* The descriptor of a connection's socket. */
static inline int tidegate_mhd_descriptor(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

/* The value that the callback for new connections has attached to the connection. */
static inline void *tidegate_mhd_socket_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info == NULL ? NULL : info->socket_context;
}

/* The TLS session of a connection; NULL without TLS. */
static inline void *tidegate_mhd_tls_session(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
  return info == NULL ? NULL : info->tls_session;
}

/* The length of a request head in bytes, from the method to the empty line after the headers. */
static inline size_t tidegate_mhd_head_size(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info == NULL ? 0 : info->header_size;
}

/* Whether this is libmicrohttpd before 1.0. There, the texts of a request head stay where they were received, each ended by
   NUL, so gaps between them reveal a malformed head. Later versions refuse malformed heads themselves. */
static inline bool tidegate_mhd_keeps_heads_in_place(void) { return MHD_VERSION < 0x01000000; }

/* The result of a content reader at the end of its stream. Swift cannot import the macro, because it contains a cast. */
static const ssize_t tidegate_mhd_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;

/* Ends libmicrohttpd's part in a connection that was upgraded: frees its memory and closes its descriptor. Without TLS, the
   connection is not shut down. With TLS, libmicrohttpd sends the bytes that are left, and ends the connection. Swift cannot call the variadic function itself. */
static inline void tidegate_mhd_end_upgraded(struct MHD_UpgradeResponseHandle *upgrade) {
  MHD_upgrade_action(upgrade, MHD_UPGRADE_ACTION_CLOSE);
}

/* Starts a daemon without a listening socket. Connections are added by MHD_add_connection. Returns NULL on failure. */
static inline struct MHD_Daemon *tidegate_mhd_start(const struct tidegate_mhd_settings *settings) {
  unsigned int flags =
      MHD_USE_AUTO_INTERNAL_THREAD | MHD_USE_SUSPEND_RESUME | MHD_ALLOW_UPGRADE | MHD_USE_NO_LISTEN_SOCKET;
  struct MHD_OptionItem without_tls[] = {{MHD_OPTION_END, 0, NULL}};
  struct MHD_OptionItem with_tls[] = {
      {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *) settings->certificate},
      {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *) settings->private_key},
      {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *) "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"},
      {MHD_OPTION_END, 0, NULL}};
  return MHD_start_daemon(
      flags | (settings->certificate == NULL ? 0 : MHD_USE_TLS), 0, NULL, NULL, settings->access, settings->context,
      MHD_OPTION_THREAD_POOL_SIZE, settings->threads,
      MHD_OPTION_CONNECTION_LIMIT, settings->connections_max_per_pool,
      MHD_OPTION_CONNECTION_TIMEOUT, settings->idle_timeout_seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->memory_bytes_per_connection,
      MHD_OPTION_UNESCAPE_CALLBACK, &tidegate_mhd_keep_escapes, NULL,
      MHD_OPTION_URI_LOG_CALLBACK, settings->request_line, settings->context,
      MHD_OPTION_NOTIFY_COMPLETED, settings->completed, settings->context,
      MHD_OPTION_NOTIFY_CONNECTION, settings->connection_changed, settings->context,
      MHD_OPTION_ARRAY, settings->certificate == NULL ? without_tls : with_tls,
      MHD_OPTION_END);
}

#endif
