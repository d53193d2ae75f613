/// Reads one member of a JSON object without decoding the others. Store and memory both read with it, so that they
/// agree.
struct JSONMember {
  private let json: UnsafeBufferPointer<UInt8>
  private var index = 0

  /// The member's value, or null if it is missing, null, of another kind than the form, or if the text is no object.
  static func value(_ name: String, in json: String, _ form: FieldPath.Form) -> StoredValue {
    var (name, json) = (name, json)
    return name.withUTF8 { name in json.withUTF8 { value(name, in: $0, form) } }
  }

  static func value(
    _ name: UnsafeBufferPointer<UInt8>, in json: UnsafeBufferPointer<UInt8>, _ form: FieldPath.Form
  ) -> StoredValue {
    var member = JSONMember(json: json)
    guard let range = member.find(name) else { return .null }
    return member.value(in: range, form)
  }

  private init(json: UnsafeBufferPointer<UInt8>) { self.json = json }

  private var next: UInt8? { index < json.count ? json[index] : nil }

  private mutating func find(_ name: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    guard take(UInt8(ascii: "{")) else { return nil }
    while true {
      skipSpace()
      let key = index
      guard next == UInt8(ascii: "\""), skipString() else { return nil }
      let isWanted = isKey(key + 1..<index - 1, name)
      guard take(UInt8(ascii: ":")) else { return nil }
      skipSpace()
      let start = index
      guard skipValue() else { return nil }
      if isWanted { return start..<index }
      guard take(UInt8(ascii: ",")) else { return nil }
    }
  }

  private func isKey(_ range: Range<Int>, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    if !json[range].contains(UInt8(ascii: "\\")) { return json[range].elementsEqual(name) }
    return text(in: range).utf8.elementsEqual(name)
  }

  private func value(in range: Range<Int>, _ form: FieldPath.Form) -> StoredValue {
    let token = json[range]
    switch (token.first, form) {
    case (UInt8(ascii: "{"), .json): return .text(String(decoding: token, as: UTF8.self))
    case (_, .json), (UInt8(ascii: "{"), _), (UInt8(ascii: "["), _), (UInt8(ascii: "n"), _): return .null
    case (UInt8(ascii: "\""), .plain): return .text(text(in: range.lowerBound + 1..<range.upperBound - 1))
    case (UInt8(ascii: "t"), .plain): return .integer(1)
    case (UInt8(ascii: "f"), .plain): return .integer(0)
    default:
      let digits = String(decoding: token, as: UTF8.self)
      if form == .plain, let integer = Int64(digits) { return .integer(integer) }
      guard let number = Double(digits) else { return .null }
      // An integer that another program has written with a fraction or exponent, which decoding accepts, too.
      if form == .plain, abs(number) < 0x1p53, let integer = Int64(exactly: number) { return .integer(integer) }
      return .real(number)
    }
  }

  private func text(in range: Range<Int>) -> String {
    guard json[range].contains(UInt8(ascii: "\\")) else { return String(decoding: json[range], as: UTF8.self) }
    var bytes: [UInt8] = []
    var index = range.lowerBound
    while index < range.upperBound {
      guard json[index] == UInt8(ascii: "\\"), index + 1 < range.upperBound else {
        bytes.append(json[index])
        index += 1
        continue
      }
      index += 2
      switch json[index - 1] {
      case UInt8(ascii: "b"): bytes.append(8)
      case UInt8(ascii: "f"): bytes.append(12)
      case UInt8(ascii: "n"): bytes.append(10)
      case UInt8(ascii: "r"): bytes.append(13)
      case UInt8(ascii: "t"): bytes.append(9)
      case UInt8(ascii: "u"):
        var unit = unit(at: index, before: range.upperBound) ?? 0xFFFD
        index = min(index + 4, range.upperBound)
        // Two units in a row can be the halves of one character.
        if unit & 0xFC00 == 0xD800, index + 6 <= range.upperBound, json[index] == UInt8(ascii: "\\"),
          json[index + 1] == UInt8(ascii: "u"), let low = self.unit(at: index + 2, before: range.upperBound),
          low & 0xFC00 == 0xDC00
        {
          unit = 0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF
          index += 6
        }
        bytes.append(contentsOf: String(Unicode.Scalar(unit) ?? "\u{FFFD}").utf8)
      default: bytes.append(json[index - 1])
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func unit(at index: Int, before end: Int) -> UInt32? {
    guard index + 4 <= end else { return nil }
    return UInt32(String(decoding: json[index..<index + 4], as: UTF8.self), radix: 16)
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard next == byte else { return false }
    index += 1
    return true
  }

  private mutating func skipString() -> Bool {
    index += 1
    while let byte = next {
      index += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return true }
    }
    return false
  }

  private mutating func skipValue() -> Bool {
    let start = index
    var depth = 0
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        guard skipString() else { return false }
        if depth == 0 { return true }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return index > start }
        depth -= 1
        if depth == 0 {
          index += 1
          return true
        }
      case UInt8(ascii: ","), 0x20, 0x0A, 0x0D, 0x09:
        if depth == 0 { return index > start }
      default: break
      }
      index += 1
    }
    return false
  }
}
