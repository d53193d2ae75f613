internal import Foundation

extension RequestBody {
  /// Returns the body compressed with gzip, to be sent with `Content-Encoding: gzip` (RFC 9110 §8.4).
  ///
  /// Send it only to a server that is known to accept compressed requests. A server that does not usually responds with
  /// status code 415.
  ///
  /// Bytes in memory are compressed at once. A file or a stream is compressed each time it is sent, as it is read, so
  /// the length of the body is unknown, and the last bytes of a chunk can be sent with those of a later one. Errors of
  /// the file or the stream are those of the body that is compressed. A one-shot body stays one-shot, and
  /// ``none`` stays without a body.
  ///
  /// To compress a form with files, compress the body of the ``MultipartForm`` rather than its parts, whose coding
  /// cannot be declared (RFC 7578 §4.8).
  public func gzipped() -> RequestBody {
    var body = self
    switch content {
    case .none: return self
    case .data(let data): body.content = .data(Deflater().next(data, flush: .end))
    case .file, .stream:
      body.content = .stream(length: nil) { [content] in
        let reader = GzipReader(MultipartReader([try MultipartReader.Piece(content)]))
        return { try await reader.next() }
      }
    }
    body.contentEncoding = contentEncoding.map { "\($0), gzip" } ?? "gzip"
    return body
  }
}
