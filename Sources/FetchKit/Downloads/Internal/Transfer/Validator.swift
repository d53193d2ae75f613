internal import Foundation

/// Proves that two responses are parts of the same file, byte for byte: a strong validator (RFC 9110 §8.8).
enum Validator: BinaryWritable, Equatable, Sendable {
  /// An entity tag that is not weak.
  case entityTag(String)
  /// A modification date old enough to rule out a second change within the same second.
  case lastModified(String)

  private static let requiredAge: TimeInterval = 60

  /// The strong validator of a response; nil if it has none. A date does not replace a weak entity tag.
  init?(_ headers: HTTPHeaders) {
    if let tag = headers["ETag"] {
      guard tag.count >= 2, tag.hasPrefix("\""), tag.hasSuffix("\"") else { return nil }
      self = .entityTag(tag)
    } else if let changed = headers["Last-Modified"], let changedDate = HTTPDate.parse(changed),
      let date = headers["Date"].flatMap(HTTPDate.parse), date.timeIntervalSince(changedDate) >= Self.requiredAge
    {
      self = .lastModified(changed)
    } else {
      return nil
    }
  }

  /// The value for `If-Range`.
  var text: String {
    switch self {
    case .entityTag(let text), .lastModified(let text): text
    }
  }

  /// Whether a response names another file. A response without a validator does not.
  func isContradicted(by headers: HTTPHeaders) -> Bool {
    switch self {
    case .entityTag(let tag): headers["ETag"].map { $0 != tag } ?? false
    case .lastModified(let date): headers["Last-Modified"].map { $0 != date } ?? false
    }
  }

  func write(to writer: inout BinaryWriter) {
    switch self {
    case .entityTag(let text): writer.write(0, text)
    case .lastModified(let text): writer.write(1, text)
    }
  }

  init(from reader: inout BinaryReader) throws(BinaryReader.Malformed) {
    switch try reader.number() {
    case 0: self = .entityTag(try reader.text())
    case 1: self = .lastModified(try reader.text())
    default: throw BinaryReader.Malformed()
    }
  }
}
