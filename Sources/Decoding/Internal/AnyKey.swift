/// A coding key for any name or index. It has three words, so storing it in an existential, as decoders do, needs no
/// allocation.
struct AnyKey: CodingKey {
  let stringValue: String
  /// For a name, this is one of the two smallest integers, which no index can be.
  private let index: Int

  init(stringValue: String) {
    self.stringValue = stringValue
    index = .min
  }

  /// Creates a key for a name that is data. This module's encoder writes it unchanged, regardless of its key strategy.
  init(verbatim name: String) {
    stringValue = name
    index = .min + 1
  }

  var isVerbatim: Bool { index == .min + 1 }

  init(intValue: Int) {
    stringValue = "\(intValue)"
    index = intValue
  }

  var intValue: Int? { index <= .min + 1 ? nil : index }
}

extension AnyKey: Hashable {
  /// Whether both keys are the same index, or names with the same bytes.
  static func == (left: AnyKey, right: AnyKey) -> Bool {
    left.index == right.index && left.stringValue.hasSameBytes(as: right.stringValue)
  }

  /// Also hashes the bytes, because otherwise names that differ only in their Unicode form would all have the same
  /// hash.
  func hash(into hasher: inout Hasher) { hasher.combineBytes(of: stringValue) }
}

extension Hasher {
  /// Hashes the code points, because `String` hashes canonically equivalent strings to the same value.
  mutating func combineBytes(of string: String) {
    var string = string
    string.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
    combine(0xFF as UInt8)
  }
}
