/// One value that was left out: of a lossy result, or of a stream.
public struct LossyDrop: Sendable {
  /// Its place among the values that were to be decoded, from 0; for members of an object its place by name.
  public let index: Int

  /// Its path from the root of what the decoder decodes, or of the stream's document.
  public let path: JSONPath

  /// Why it was left out: where inside it, what was expected, what was found.
  ///
  /// Only in a stream are the bytes at hand, so only there it has a position and the kind of value that was found. What
  /// the decoder or the type's `init(from:)` threw is its `underlyingError`.
  public let failure: DecodingFailure
}

extension LossyDrop {
  /// A drop because of what decoding the value at the path has thrown.
  init(index: Int, path: JSONPath, error: any Error) {
    var failure = DecodingFailure(error, in: .unreadable)
    if !(error is DecodingError || error is DecodingFailure) { failure.path = path }
    self.init(index: index, path: path, failure: failure)
  }
}

extension LossyDrop: CustomStringConvertible {
  /// What ``failure`` says, without values: `$['results'][3]['id']: expected Int, found something else`.
  public var description: String { failure.description }
}
