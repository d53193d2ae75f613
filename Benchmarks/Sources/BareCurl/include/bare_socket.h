// What a C program does with a WebSocket on libcurl's CURLOPT_CONNECT_ONLY: its own handshake and frames.
#pragma once

typedef struct bare_socket bare_socket;

/// Connects to the URL, which begins with http, and opens a WebSocket at the path. Null when that fails.
bare_socket *_Nullable bare_socket_open(const char *_Nonnull url, const char *_Nonnull path);

/// Asks for so many messages and keeps each whole. Returns how many bytes of messages came, negative after a failure.
long long bare_socket_receive(bare_socket *_Nonnull socket, int count);

/// Sends so many messages of that size, masked, and waits until the server has got them. Returns how many bytes of
/// messages were sent, negative after a failure.
long long bare_socket_send(bare_socket *_Nonnull socket, int count, int size);

void bare_socket_close(bare_socket *_Nonnull socket);
