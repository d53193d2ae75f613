internal import FetchKit
internal import Foundation

extension LoopbackResponse {
  /// The same response, its body as gzip.
  public func gzipped() -> LoopbackResponse {
    var copy = self
    if case .data(let data) = body { copy.body = .data(Gzip.stored(data)) }
    copy.headers["Content-Encoding"] = "gzip"
    return copy
  }

  /// A body that unpacks to so many zeros, about 160 times as many bytes as are sent.
  public static func gzipBomb(bytes: Int) -> LoopbackResponse {
    LoopbackResponse(headers: ["Content-Encoding": "gzip"], body: .data(Gzip.zeros(bytes)))
  }
}
