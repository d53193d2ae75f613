#include "bare_curl.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

// A body as a program would keep it: in memory, whole.
typedef struct {
  CURL *easy;
  char *bytes;
  size_t count, capacity;
} request;

struct bare_curl {
  CURLM *multi;
  int concurrency;
  request requests[];
};

static size_t receive(char *bytes, size_t size, size_t count, void *context) {
  request *to = context;
  size_t more = size * count;
  if (to->count + more > to->capacity) {
    size_t capacity = (to->count + more) * 2;
    char *grown = realloc(to->bytes, capacity);
    if (!grown) return 0;
    to->bytes = grown;
    to->capacity = capacity;
  }
  memcpy(to->bytes + to->count, bytes, more);
  to->count += more;
  return more;
}

bare_curl *bare_curl_new(const char *url, int concurrency, const char *authority, int offers_http2) {
  bare_curl *loop = calloc(1, sizeof *loop + (size_t)concurrency * sizeof(request));
  if (!loop) return NULL;
  loop->concurrency = concurrency;
  if (concurrency > 1 && !(loop->multi = curl_multi_init())) {
    bare_curl_free(loop);
    return NULL;
  }
  for (int index = 0; index < concurrency; index++) {
    request *one = &loop->requests[index];
    if (!(one->easy = curl_easy_init())) {
      bare_curl_free(loop);
      return NULL;
    }
    curl_easy_setopt(one->easy, CURLOPT_URL, url);
    curl_easy_setopt(one->easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(one->easy, CURLOPT_HTTP_VERSION,
                     (long)(offers_http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
    curl_easy_setopt(one->easy, CURLOPT_PIPEWAIT, (long)(offers_http2 ? 1 : 0));
    if (authority) curl_easy_setopt(one->easy, CURLOPT_CAINFO, authority);
    curl_easy_setopt(one->easy, CURLOPT_WRITEFUNCTION, receive);
    curl_easy_setopt(one->easy, CURLOPT_WRITEDATA, one);
    curl_easy_setopt(one->easy, CURLOPT_PRIVATE, one);
  }
  return loop;
}

static int succeeded(CURL *easy, CURLcode code) {
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  return code == CURLE_OK && status == 200;
}

static long long run_easy(request *one, int count) {
  long long bytes = 0;
  for (int index = 0; index < count; index++) {
    one->count = 0;
    if (!succeeded(one->easy, curl_easy_perform(one->easy))) return -1;
    bytes += (long long)one->count;
  }
  return bytes;
}

static long long run_multi(bare_curl *loop, int count) {
  long long bytes = 0;
  int started = 0, done = 0, failed = 0;
  for (; started < loop->concurrency && started < count; started++) {
    loop->requests[started].count = 0;
    curl_multi_add_handle(loop->multi, loop->requests[started].easy);
  }
  while (done < started) {
    int running, left;
    CURLMsg *message;
    curl_multi_perform(loop->multi, &running);
    while ((message = curl_multi_info_read(loop->multi, &left))) {
      if (message->msg != CURLMSG_DONE) continue;
      CURL *easy = message->easy_handle;
      request *one;
      if (!succeeded(easy, message->data.result)) failed = 1;
      curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&one);
      curl_multi_remove_handle(loop->multi, easy);
      bytes += (long long)one->count;
      done++;
      if (started < count && !failed) {
        one->count = 0;
        curl_multi_add_handle(loop->multi, easy);
        started++;
      }
    }
    if (done < started) curl_multi_poll(loop->multi, NULL, 0, 100, NULL);
  }
  return failed ? -1 : bytes;
}

long long bare_curl_run(bare_curl *loop, int count) {
  return loop->multi ? run_multi(loop, count) : run_easy(&loop->requests[0], count);
}

void bare_curl_free(bare_curl *loop) {
  for (int index = 0; index < loop->concurrency; index++) {
    if (loop->requests[index].easy) curl_easy_cleanup(loop->requests[index].easy);
    free(loop->requests[index].bytes);
  }
  if (loop->multi) curl_multi_cleanup(loop->multi);
  free(loop);
}
