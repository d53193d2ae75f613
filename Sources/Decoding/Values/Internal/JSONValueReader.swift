/// Reads any value from the bytes of a document without recursion.
struct JSONValueReader {
  let scanner: JSONScanner
  /// The number of containers around the value.
  let depth: Int
  /// The open arrays and objects, each with the name of the member that is being read.
  private var open: [(storage: JSONStorage, name: String)] = []

  private enum Beginning {
    case opened
    case empty(JSONValue)
    case failed
  }

  init(_ scanner: JSONScanner, depth: Int) {
    self.scanner = scanner
    self.depth = depth
  }

  /// Returns the value at an offset; nil with a fault recorded, or if a string is invalid.
  mutating func read(at start: Int) -> JSONValue? {
    let text = scanner.text
    var index = start
    while true {
      var value: JSONValue
      if text[index] | 0x20 == 0x7B {
        switch begin(&index) {
        case .opened: continue
        case .empty(let empty): value = empty
        case .failed: return nil
        }
      } else {
        guard let scalar = scalar(&index) else { return nil }
        value = scalar
      }
      // A value has ended: add it to its container, and close the containers that end with it.
      while let (storage, name) = open.last {
        if storage.isObject { storage.append(name, value) } else { storage.values.append(value) }
        index = text.skipSpace(index)
        guard index < text.count else { return fail(index) }
        if text[index] == ASCII.comma {
          index = text.skipSpace(index &+ 1)
          guard index < text.count else { return fail(index) }
          if storage.isObject, !readName(&index) { return nil }
          break
        }
        guard text[index] == (storage.isObject ? ASCII.rightBrace : ASCII.rightBracket) else { return fail(index) }
        index &+= 1
        open.removeLast()
        value = storage.isObject ? .object(JSONObject(storage)) : .array(JSONArray(storage))
      }
      if open.isEmpty {
        scanner.took(start, index)
        return value
      }
    }
  }

  /// Opens an array or object and advances to its first value. If it is empty, advances past it and returns it.
  private mutating func begin(_ index: inout Int) -> Beginning {
    let text = scanner.text
    guard depth &+ open.count < scanner.core.pointee.depthLimit else {
      scanner.setFault(index, .tooDeep)
      return .failed
    }
    let isObject = text[index] == ASCII.leftBrace
    index = text.skipSpace(index &+ 1)
    guard index < text.count else {
      scanner.setFault(index)
      return .failed
    }
    if text[index] == (isObject ? ASCII.rightBrace : ASCII.rightBracket) {
      index &+= 1
      return .empty(isObject ? .object(JSONObject()) : .array(JSONArray()))
    }
    open.append((JSONStorage(isObject: isObject), ""))
    return !isObject || readName(&index) ? .opened : .failed
  }

  /// Reads a name and advances to its value.
  private mutating func readName(_ index: inout Int) -> Bool {
    let text = scanner.text
    guard text[index] == ASCII.quote else {
      scanner.setFault(index)
      return false
    }
    guard let name = scanner.quotedString(index) else { return false }
    index = text.skipSpace(scanner.core.pointee.lastEnd)
    guard index < text.count, text[index] == ASCII.colon else {
      scanner.setFault(index)
      return false
    }
    index = text.skipSpace(index &+ 1)
    guard index < text.count else {
      scanner.setFault(index)
      return false
    }
    open[open.count &- 1].name = name
    return true
  }

  private func scalar(_ index: inout Int) -> JSONValue? {
    let text = scanner.text
    if text[index] == ASCII.quote {
      guard let string = scanner.quotedString(index) else { return nil }
      index = scanner.core.pointee.lastEnd
      return .string(string)
    }
    let end = text.skipScalar(index)
    guard end >= 0 else { return fail(~end) }
    let start = index
    index = end
    switch text[start] {
    case UInt8(ascii: "t"): return .bool(true)
    case UInt8(ascii: "f"): return .bool(false)
    case UInt8(ascii: "n"): return .null
    default: return .number(JSONNumber(checked: text.text(start, end)))
    }
  }

  private func fail(_ offset: Int) -> JSONValue? {
    scanner.setFault(min(offset, scanner.text.count))
    return nil
  }
}

extension BytesDecoder {
  /// Returns the value itself, with nothing lost.
  func jsonValue() throws -> JSONValue {
    if value == absentValue { return .null }
    var values = JSONValueReader(state.scanner, depth: depth)
    guard let result = values.read(at: Int(value)) else { throw state.syntaxError() }
    return result
  }

  /// Returns the number with its digits as written.
  func jsonNumber() throws -> JSONNumber {
    guard let end = state.scanner.numberEnd(value) else { throw state.error(value, JSONNumber.self, codingPath) }
    state.scanner.took(Int(value), end)
    return JSONNumber(checked: state.scanner.text.text(Int(value), end))
  }

  /// Returns the bytes of the value itself, validated as JSON.
  func jsonBytes() throws -> [UInt8] {
    if value == absentValue { return Array("null".utf8) }
    let scanner = state.scanner
    var isTooDeep = false
    let end = scanner.text.skipWholeValue(
      Int(value), kinds: scanner.core.pointee.kinds, limit: scanner.core.pointee.depthLimit - depth,
      isTooDeep: &isTooDeep)
    guard end >= 0 else {
      scanner.setFault(~end, isTooDeep ? .tooDeep : .syntax)
      throw state.syntaxError()
    }
    scanner.took(Int(value), end)
    return Array(scanner.text.buffer(Int(value), end))
  }

  /// The number of containers around the value.
  private var depth: Int { Int(state.scanner.node(state.liveNode(Int(node), value)).pointee.depth) }
}

extension Decoder {
  /// The decoder as one of this module; nil for others.
  var asBytesDecoder: BytesDecoder? {
    Self.self == BytesDecoder.self ? reinterpret(self, as: BytesDecoder.self) : nil
  }

  /// The same for a value that is read as a whole, even if its members are being recorded.
  var asBytesDecoderOfWhole: BytesDecoder? {
    guard Self.self == RecordingDecoder.self else { return asBytesDecoder }
    let recording = reinterpret(self, as: RecordingDecoder.self)
    guard let decoder = recording.base.asBytesDecoderOfWhole else { return nil }
    recording.record.isWhole = true
    return decoder
  }
}

extension Encoder {
  /// Whether the encoder writes a ``JSONValue`` and a ``RawJSON`` unchanged.
  var keepsForm: Bool { Self.self == ValueEncoder.self || Self.self == MembersEncoder.self }
}
