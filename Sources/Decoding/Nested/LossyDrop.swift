/// One value that was left out of a lossy result.
public struct LossyDrop: Sendable {
  /// Its place among the values that were to be decoded, from 0; for members of an object its place by name.
  public let index: Int

  /// Its path from the root of what the decoder decodes.
  public let path: JSONPath

  /// Why it was left out: a `DecodingError`, or what the type's `init(from:)` threw.
  public let reason: any Error
}

extension LossyDrop: CustomStringConvertible {
  /// The path and the kind of the reason, without values: `$['results'][3]: wrong type`.
  public var description: String {
    switch reason {
    case DecodingError.keyNotFound(let key, _): "\(path): no `\(key.stringValue)`"
    case DecodingError.typeMismatch: "\(path): wrong type"
    case DecodingError.valueNotFound: "\(path): null"
    case DecodingError.dataCorrupted: "\(path): invalid value"
    default: "\(path): \(type(of: reason))"
    }
  }
}
