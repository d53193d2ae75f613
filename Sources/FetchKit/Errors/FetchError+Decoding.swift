public import Decoding

extension FetchError {
  /// The decoding error that caused an ``extraction(_:_:)`` error, or nil if the error has a different cause.
  public var decodingError: LocatedDecodingError? {
    if case .extraction(let cause, _) = self { cause as? LocatedDecodingError } else { nil }
  }
}
