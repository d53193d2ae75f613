#include "bare_socket.h"

#include <curl/curl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bare_socket {
  CURL *easy;
  curl_socket_t descriptor;
  char *message;
  size_t capacity;
};

static int wait_for(bare_socket *socket, short events) {
  struct pollfd one = {.fd = socket->descriptor, .events = events};
  return poll(&one, 1, 60000) == 1;
}

static size_t receive_some(bare_socket *socket, char *bytes, size_t size) {
  for (;;) {
    size_t count = 0;
    CURLcode code = curl_easy_recv(socket->easy, bytes, size, &count);
    if (code == CURLE_OK) return count;
    if (code != CURLE_AGAIN || !wait_for(socket, POLLIN)) return 0;
  }
}

static int receive_all(bare_socket *socket, char *bytes, size_t size) {
  while (size > 0) {
    size_t count = receive_some(socket, bytes, size);
    if (count == 0) return 0;
    bytes += count;
    size -= count;
  }
  return 1;
}

static int send_all(bare_socket *socket, const char *bytes, size_t size) {
  while (size > 0) {
    size_t count = 0;
    CURLcode code = curl_easy_send(socket->easy, bytes, size, &count);
    if (code == CURLE_AGAIN ? !wait_for(socket, POLLOUT) : code != CURLE_OK) return 0;
    bytes += count;
    size -= count;
  }
  return 1;
}

static char *room(bare_socket *socket, size_t size) {
  if (size > socket->capacity) {
    char *grown = realloc(socket->message, size);
    if (!grown) return NULL;
    socket->message = grown;
    socket->capacity = size;
  }
  return socket->message;
}

// A client's frame; its payload is read eight bytes at a time, so both buffers hold seven more.
static size_t write_frame(char *to, int opcode, const char *payload, size_t size) {
  size_t header = 2;
  to[0] = (char)(0x80 | opcode);
  if (size < 126) {
    to[1] = (char)(0x80 | size);
  } else {
    to[1] = (char)(0x80 | 127);
    for (int index = 0; index < 8; index++) to[2 + index] = (char)((uint64_t)size >> (56 - 8 * index));
    header += 8;
  }
  uint32_t mask = (uint32_t)random();
  memcpy(to + header, &mask, 4);
  header += 4;
  uint64_t wide = (uint64_t)mask << 32 | mask;
  for (size_t index = 0; index < size; index += 8) {
    uint64_t word;
    memcpy(&word, payload + index, 8);
    word ^= wide;
    memcpy(to + header + index, &word, 8);
  }
  return header + size;
}

static int send_text(bare_socket *socket, const char *text) {
  char payload[32] = {0}, frame[64];
  strncpy(payload, text, sizeof payload - 1);
  return send_all(socket, frame, write_frame(frame, 1, payload, strlen(payload)));
}

// Returns the message's size, negative after a failure.
static long long receive_message(bare_socket *socket) {
  unsigned char head[10];
  if (!receive_all(socket, (char *)head, 2) || head[0] < 0x81) return -1;
  size_t size = head[1], extra = size == 126 ? 2 : size == 127 ? 8 : 0;
  if (extra) {
    if (!receive_all(socket, (char *)head + 2, extra)) return -1;
    size = 0;
    for (size_t index = 0; index < extra; index++) size = size << 8 | head[2 + index];
  }
  char *message = room(socket, size + 1);
  return message && receive_all(socket, message, size) ? (long long)size : -1;
}

static int shake_hands(bare_socket *socket, const char *path) {
  char text[1024];
  int size = snprintf(text, sizeof text,
                      "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
                      path);
  if (!send_all(socket, text, (size_t)size)) return 0;
  size_t count = 0;
  // The server sends nothing before it is asked to.
  while (count < sizeof text - 1) {
    size_t more = receive_some(socket, text + count, sizeof text - 1 - count);
    if (more == 0) return 0;
    count += more;
    text[count] = 0;
    if (strstr(text, "\r\n\r\n")) return strncmp(text, "HTTP/1.1 101 ", 13) == 0;
  }
  return 0;
}

bare_socket *bare_socket_open(const char *url, const char *path) {
  bare_socket *socket = calloc(1, sizeof *socket);
  if (!socket) return NULL;
  socket->easy = curl_easy_init();
  if (socket->easy) {
    curl_easy_setopt(socket->easy, CURLOPT_URL, url);
    curl_easy_setopt(socket->easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(socket->easy, CURLOPT_CONNECT_ONLY, 1L);
    if (curl_easy_perform(socket->easy) == CURLE_OK &&
        curl_easy_getinfo(socket->easy, CURLINFO_ACTIVESOCKET, &socket->descriptor) == CURLE_OK &&
        shake_hands(socket, path))
      return socket;
  }
  bare_socket_close(socket);
  return NULL;
}

long long bare_socket_receive(bare_socket *socket, int count) {
  char text[16];
  snprintf(text, sizeof text, "%d", count);
  if (!send_text(socket, text)) return -1;
  long long bytes = 0;
  for (int index = 0; index < count; index++) {
    long long size = receive_message(socket);
    if (size < 0) return -1;
    bytes += size;
  }
  return bytes;
}

long long bare_socket_send(bare_socket *socket, int count, int size) {
  char *payload = calloc(1, (size_t)size + 8);
  char *frame = room(socket, (size_t)size + 32);
  int succeeded = payload && frame;
  for (int index = 0; index < count && succeeded; index++)
    succeeded = send_all(socket, frame, write_frame(frame, 2, payload, (size_t)size));
  free(payload);
  succeeded = succeeded && send_text(socket, "done") && receive_message(socket) >= 0;
  return succeeded ? (long long)count * size : -1;
}

void bare_socket_close(bare_socket *socket) {
  if (socket->easy) curl_easy_cleanup(socket->easy);
  free(socket->message);
  free(socket);
}
