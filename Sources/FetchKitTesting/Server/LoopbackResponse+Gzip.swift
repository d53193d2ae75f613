internal import FetchKit
internal import Foundation

extension LoopbackResponse {
  /// Returns a copy of the response with its body in the gzip format. The gzip data contains the body in uncompressed
  /// blocks.
  public func gzipped() -> LoopbackResponse {
    var copy = self
    copy.body = .data(Gzip.stored(body.data))
    copy.headers["Content-Encoding"] = "gzip"
    return copy
  }

  /// A response whose gzip body decompresses to the given number of zero bytes. The decompressed body is about 160
  /// times as large as the gzip body.
  public static func gzipBomb(bytes: Int) -> LoopbackResponse {
    LoopbackResponse(headers: ["Content-Encoding": "gzip"], body: .data(Gzip.zeros(bytes)))
  }
}
