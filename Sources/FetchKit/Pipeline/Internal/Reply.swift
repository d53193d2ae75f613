internal import Foundation

/// A response, with information about how it was obtained.
struct Reply {
  var head: ResponseHead
  var body: ResponseBody
  /// The request that was answered: the last one if redirects were followed.
  var request: HTTPRequest
  var redirects: [Redirect] = []
  var source: FetchResponse.Source
  /// Held while a stream is being read, or a WebSocket is open.
  var permit: Permit?
  var socket: (any SocketConnection)?
  /// The time that the transport took. Waiting for a turn does not count.
  var transportTime = Duration.zero

  init(
    _ head: ResponseHead, _ body: ResponseBody, to request: HTTPRequest, source: FetchResponse.Source = .network
  ) {
    self.head = head
    // What the client hides in a request, it also hides in the response, wherever that comes from.
    self.head.headers.hiddenNames = request.headers.hiddenNames
    self.body = body
    self.request = request
    self.source = source
  }

  /// Reads as much of the body as an error contains.
  nonisolated(nonsending) func statusFailure() async -> StatusFailure {
    var kept = Data()
    var isTruncated = false
    if let whole = body.data {
      isTruncated = whole.count > StatusFailure.keptBytes
      // A slice would retain the whole body.
      kept = isTruncated ? whole.subdata(in: whole.startIndex..<whole.startIndex + StatusFailure.keptBytes) : whole
    } else {
      do {
        for try await chunk in body {
          let room = StatusFailure.keptBytes - kept.count
          kept += chunk.prefix(room)
          isTruncated = chunk.count > room
          if isTruncated { break }
        }
      } catch {
        // The status code is the failure. An incomplete body only makes the error less informative.
        isTruncated = true
      }
    }
    return StatusFailure(status: head.status, headers: head.headers, body: kept, isBodyTruncated: isTruncated)
  }
}

extension Reply {
  /// A reply with a stored response, or with the range of it that the request asks for.
  init(
    _ stored: StoredResponse, _ source: FetchResponse.Source, to request: HTTPRequest, _ query: CacheRequest,
    at now: Date
  ) {
    var head = ResponseHead(status: stored.status, headers: stored.headers, version: stored.version)
    let age = stored.freshness.age(at: now) ?? stored.freshness.initialAge
    head.headers["Age"] = "\(Int(min(age, Double(CacheControl.mostSeconds))))"
    var body = query.method == .head ? Data() : stored.body
    if let field = query.range, let range = ByteRange(field, count: body.count) {
      body = Data(body.dropFirst(range.bytes.lowerBound).prefix(range.bytes.count))
      head.status = 206
      head.headers["Content-Range"] = range.contentRange
      head.headers["Content-Length"] = "\(body.count)"
    }
    self.init(head, ResponseBody(body), to: request, source: source)
  }
}
