// libcurl, and for each of its variadic functions, which Swift cannot call, one function per kind of argument.
// An option takes exactly one kind: passing a long where libcurl reads a pointer is undefined behaviour, so every
// call names the kind that the option's manual page names.
#pragma once

#include <curl/curl.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

#if LIBCURL_VERSION_NUM < 0x075000
#error "libcurl 7.80 or newer is needed"
#endif

// In every libc of Linux, but declared only for programs that ask for its extensions.
int ppoll(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
int memfd_create(const char *, unsigned int);

// curl_easy_setopt is a type-checking macro for some compilers and a variadic function for all.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt
#undef curl_share_setopt

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);  // variadic
}

static inline CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);  // variadic
}

static inline CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);  // variadic
}

static inline CURLcode ccurl_set_blob(CURL *easy, CURLoption option, const void *data, size_t size) {
  struct curl_blob blob = {(void *)data, size, CURL_BLOB_COPY};
  return curl_easy_setopt(easy, option, &blob);  // variadic
}

static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);  // variadic
}

static inline CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);  // variadic
}

// HEADERFUNCTION, WRITEFUNCTION and READFUNCTION share one signature.
static inline CURLcode ccurl_set_data_callback(CURL *easy, CURLoption option,
                                               size_t (*value)(char *, size_t, size_t, void *)) {
  return curl_easy_setopt(easy, option, value);  // variadic
}

static inline CURLcode ccurl_set_seek_callback(CURL *easy, int (*value)(void *, curl_off_t, int)) {
  return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, value);  // variadic
}

static inline CURLcode ccurl_set_prereq_callback(CURL *easy, int (*value)(void *, char *, char *, int, int)) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);  // variadic
}

static inline CURLcode ccurl_set_debug_callback(CURL *easy,
                                                int (*value)(CURL *, curl_infotype, char *, size_t, void *)) {
  return curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, value);  // variadic
}

static inline CURLcode ccurl_set_open_socket_callback(CURL *easy, curl_socket_t (*value)(void *, curlsocktype,
                                                                                         struct curl_sockaddr *)) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);  // variadic
}

static inline CURLcode ccurl_set_close_socket_callback(CURL *easy, int (*value)(void *, curl_socket_t)) {
  return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, value);  // variadic
}

static inline CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);  // variadic
}

static inline CURLcode ccurl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(easy, info, value);  // variadic
}

static inline CURLcode ccurl_get_string(CURL *easy, CURLINFO info, const char **value) {
  return curl_easy_getinfo(easy, info, value);  // variadic
}

static inline CURLcode ccurl_get_socket(CURL *easy, curl_socket_t *value) {
  return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, value);  // variadic
}

static inline CURLcode ccurl_get_pointer(CURL *easy, CURLINFO info, void **value) {
  return curl_easy_getinfo(easy, info, value);  // variadic
}

// The TLS library's object for the connection that the handle is on at this moment; null where it is on none.
static inline const void *ccurl_get_tls_session(CURL *easy) {
  struct curl_tlssessioninfo *info = NULL;
  if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK || !info) return NULL;
  return info->internals;
}

static inline CURLSHcode ccurl_share_set_long(CURLSH *share, CURLSHoption option, long value) {
  return curl_share_setopt(share, option, value);  // variadic
}

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);  // variadic
}

static inline CURLMcode ccurl_multi_set_pointer(CURLM *multi, CURLMoption option, void *value) {
  return curl_multi_setopt(multi, option, value);  // variadic
}

static inline CURLMcode ccurl_multi_set_socket_callback(CURLM *multi,
                                                        int (*value)(CURL *, curl_socket_t, int, void *, void *)) {
  return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, value);  // variadic
}

static inline CURLMcode ccurl_multi_set_timer_callback(CURLM *multi, int (*value)(CURLM *, long, void *)) {
  return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, value);  // variadic
}
