// What a C program does with libcurl and nothing around it: the floor that a transport is measured against.
#pragma once

/// Handles that are used again and again, with the connections they keep.
typedef struct bare_curl bare_curl;

/// Handles for that many requests at a time: with one the easy interface, with more the multi interface and its own poll.
/// Over TLS servers are trusted by the authority in that file, if one is named. Null when there is no memory.
bare_curl *_Nullable bare_curl_new(const char *_Nonnull url, int concurrency, const char *_Nullable authority,
                                   int offers_http2);

/// Gets the URL so many times and returns how many bytes of bodies came, negative when a request failed.
long long bare_curl_run(bare_curl *_Nonnull loop, int count);

void bare_curl_free(bare_curl *_Nonnull loop);
