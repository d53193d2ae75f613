internal import FetchKit
internal import Foundation

extension LoopbackResponse {
  /// Returns the response with its body encoded as gzip. The gzip blocks contain the body without compression.
  public func gzipped() -> LoopbackResponse {
    var copy = self
    copy.body = .data(Gzip.stored(body.data))
    copy.headers["Content-Encoding"] = "gzip"
    return copy
  }

  /// A response whose body decompresses to the given number of zero bytes, about 160 times the number of bytes sent.
  public static func gzipBomb(bytes: Int) -> LoopbackResponse {
    LoopbackResponse(headers: ["Content-Encoding": "gzip"], body: .data(Gzip.zeros(bytes)))
  }
}
