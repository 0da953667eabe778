#ifndef TIDEGATE_CCURL_SHIM_H
#define TIDEGATE_CCURL_SHIM_H

#include <curl/curl.h>

/* Swift cannot call variadic functions. The functions below wrap variadic calls, each for one type of argument or one option.
   Only `tidegate_curl_open_socket` wraps none. */

static inline CURLcode tidegate_curl_global_init(void) {
  return curl_global_init(CURL_GLOBAL_DEFAULT);
}

static inline CURLcode tidegate_curl_set_long(CURL *handle, CURLoption option, long value) {
  return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode tidegate_curl_set_string(CURL *handle, CURLoption option, const char *value) {
  return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode tidegate_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return (curl_easy_setopt)(handle, option, value);
}

/* Sets the request body. libcurl copies the bytes during the call. */
static inline CURLcode tidegate_curl_set_body(CURL *handle, const void *bytes, curl_off_t count) {
  CURLcode code = (curl_easy_setopt)(handle, CURLOPT_POSTFIELDSIZE_LARGE, count);
  return code == CURLE_OK ? (curl_easy_setopt)(handle, CURLOPT_COPYPOSTFIELDS, bytes) : code;
}

/* Sets the length in bytes of a body that libcurl reads through CURLOPT_READFUNCTION. */
static inline CURLcode tidegate_curl_set_body_size(CURL *handle, curl_off_t count) {
  return (curl_easy_setopt)(handle, CURLOPT_POSTFIELDSIZE_LARGE, count);
}

static inline CURLcode tidegate_curl_set_headers(CURL *handle, struct curl_slist *headers) {
  return (curl_easy_setopt)(handle, CURLOPT_HTTPHEADER, headers);
}

static inline CURLcode tidegate_curl_set_opensocket_callback(CURL *handle, curl_opensocket_callback callback) {
  return (curl_easy_setopt)(handle, CURLOPT_OPENSOCKETFUNCTION, callback);
}

/* Opens a socket for the address, as libcurl does by default. */
static inline curl_socket_t tidegate_curl_open_socket(const struct curl_sockaddr *address) {
#ifdef SOCK_CLOEXEC
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
  return socket(address->family, address->socktype, address->protocol);
#endif
}

static inline CURLcode tidegate_curl_get_string(CURL *handle, CURLINFO info, char **text) {
  return (curl_easy_getinfo)(handle, info, text);
}

/* The socket of a connection that was made with CURLOPT_CONNECT_ONLY; CURL_SOCKET_BAD without one. */
static inline curl_socket_t tidegate_curl_socket(CURL *handle) {
  curl_socket_t found = CURL_SOCKET_BAD;
  return (curl_easy_getinfo)(handle, CURLINFO_ACTIVESOCKET, &found) == CURLE_OK ? found : CURL_SOCKET_BAD;
}

typedef size_t (*tidegate_curl_data_callback)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode tidegate_curl_set_data_callback(
    CURL *handle, CURLoption option, tidegate_curl_data_callback callback) {
  return (curl_easy_setopt)(handle, option, callback);
}

static inline CURLcode tidegate_curl_set_prereq_callback(CURL *handle, curl_prereq_callback callback) {
  return (curl_easy_setopt)(handle, CURLOPT_PREREQFUNCTION, callback);
}

/* Allows only http and https, also for redirects. The options of libcurl 7.85 and later take the names of the protocols. The
   older options take a bit mask. */
static inline CURLcode tidegate_curl_allow_only_http(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
  CURLcode code = (curl_easy_setopt)(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  return code == CURLE_OK ? (curl_easy_setopt)(handle, CURLOPT_REDIR_PROTOCOLS_STR, "http,https") : code;
#else
  long protocols = CURLPROTO_HTTP | CURLPROTO_HTTPS;
  CURLcode code = (curl_easy_setopt)(handle, CURLOPT_PROTOCOLS, protocols);
  return code == CURLE_OK ? (curl_easy_setopt)(handle, CURLOPT_REDIR_PROTOCOLS, protocols) : code;
#endif
}

/* Lets a transfer end without waiting for its name resolution. Waiting would block all other transfers. Has no effect before
   libcurl 7.87. */
static inline CURLcode tidegate_curl_leave_resolver_behind(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
  return (curl_easy_setopt)(handle, CURLOPT_QUICK_EXIT, 1L);
#else
  (void) handle;
  return CURLE_OK;
#endif
}

static inline CURLMcode tidegate_curl_multi_set_long(CURLM *handle, CURLMoption option, long value) {
  return (curl_multi_setopt)(handle, option, value);
}

#endif
