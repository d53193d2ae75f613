public import Decoding

extension FetchError {
  /// The decoding failure of an ``extraction(_:_:)``, where it was one.
  public var decodingFailure: DecodingFailure? {
    if case .extraction(let cause, _) = self { cause as? DecodingFailure } else { nil }
  }
}
