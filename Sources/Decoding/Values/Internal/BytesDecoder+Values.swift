extension JSONScanner {
  /// Reads any value without recursion; nil with a fault recorded, or if a string is invalid.
  ///
  /// - Parameter depth: The number of containers around the value.
  func anyValue(at start: Int, depth: Int) -> JSONValue? {
    guard text[start] | 0x20 == 0x7B else { return scalar(start) }
    guard var current = OpenValue(self, start, depth) else { return nil }
    var outer: [OpenValue] = []
    while true {
      guard current.children.next() else {
        if current.children.isFaulty { return nil }
        let value = current.storage.value
        guard let last = outer.popLast() else { return value }
        current = last
        current.storage.add(current.name, value)
        continue
      }
      if current.children.isObject {
        guard let name = current.children.name else { return nil }
        current.name = name
      }
      let offset = current.children.value
      if text[offset] | 0x20 == 0x7B {
        guard let inner = OpenValue(self, offset, current.children.depth) else { return nil }
        outer.append(current)
        current = inner
      } else {
        guard let scalar = scalar(offset) else { return nil }
        current.storage.add(current.name, scalar)
      }
    }
  }

  /// An array or object that is being read.
  private struct OpenValue {
    var children: ChildCursor
    let storage: JSONStorage
    /// The name of the current member.
    var name = ""

    init?(_ scanner: JSONScanner, _ start: Int, _ depth: Int) {
      guard let children = scanner.children(of: start, depth: depth) else { return nil }
      self.children = children
      storage = JSONStorage(isObject: children.isObject)
    }
  }

  private func scalar(_ start: Int) -> JSONValue? {
    if text[start] == ASCII.quote { return quotedString(start).map { .string($0) } }
    let end = text.skipScalar(start)
    guard end >= 0 else {
      setFault(~end)
      return nil
    }
    took(start, end)
    switch text[start] {
    case UInt8(ascii: "t"): return .bool(true)
    case UInt8(ascii: "f"): return .bool(false)
    case UInt8(ascii: "n"): return .null
    default: return .number(JSONNumber(checked: text.text(start, end)))
    }
  }
}

extension BytesDecoder {
  /// Returns the value itself, with nothing lost.
  func jsonValue() throws -> JSONValue {
    if value == absentValue { return .null }
    guard let result = state.scanner.anyValue(at: Int(value), depth: depth) else { throw state.syntaxError() }
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
    let end = scanner.skipFully(Int(value), SkipProgress(), depth: depth)
    guard end >= 0 else { throw state.syntaxError() }
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
