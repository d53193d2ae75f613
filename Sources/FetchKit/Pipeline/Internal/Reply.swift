internal import Foundation

/// A response, with information about how it was obtained.
struct Reply {
  var head: ResponseHead
  var body: ResponseBody
  /// The request that was answered: the last one if redirects were followed.
  var request: HTTPRequest
  var redirects: [Redirect] = []
  var source = FetchResponse.Source.network
  /// Held while a stream is being read.
  var permit: Permit?

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
