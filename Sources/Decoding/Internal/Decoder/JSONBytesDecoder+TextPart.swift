internal import Foundation

/// The part of a document that is decoded: all of it, or the value that steps lead to.
struct TextPart {
  var text: ByteView
  /// Where the value starts; white space before it is passed.
  var start = 0
  var origin = Origin.document

  /// How the value was found.
  enum Origin {
    /// It is the whole document.
    case document
    case steps([PathStep])
    /// By a path that may select several values: the steps are found again when a failure needs them.
    case match(depth: Int)
  }

  /// How many containers are around the value.
  var depth: Int {
    switch origin {
    case .document: 0
    case .steps(let steps): steps.count
    case .match(let depth): depth
    }
  }

  var isDocument: Bool { if case .document = origin { true } else { false } }
}

extension JSONBytesDecoder {
  /// Decodes a whole document.
  func decodeDocument<T: Decodable>(_ type: T.Type, _ text: ByteView) throws(DecodingFailure) -> T {
    try withState(TextPart(text: text)) { state, part in try state.decode(type, part) }
  }

  /// Lends a state for one call, and turns what is thrown into a failure about the part as it stands then.
  func withState<Value>(
    _ part: TextPart, _ body: (DecodingState, inout TextPart) throws -> Value
  ) throws(DecodingFailure) -> Value {
    guard part.text.count < Int(absentValue) else { throw DecodingFailure(tooLarge: part) }
    var part = part
    var state = lease()
    defer { if DecodingState.end(&state) { giveBack(state) } }
    state.begin(part.text)
    do {
      return try body(state, &part)
    } catch {
      throw DecodingFailure(error, state, part)
    }
  }

  /// Hands the data to a closure as UTF-8 without a byte order mark.
  func withUTF8<Value>(
    of data: Data, _ body: (ByteView) throws(DecodingFailure) -> Value
  ) throws(DecodingFailure) -> Value {
    try data.bytes.withUnsafeBytes { (bytes) throws(DecodingFailure) in
      let text = ByteView(bytes)
      guard text.mayNeedConversion else { return try body(text) }
      return try data.asUTF8.bytes.withUnsafeBytes { (bytes) throws(DecodingFailure) in try body(ByteView(bytes)) }
    }
  }
}

extension ByteView {
  /// Whether the text may begin with a byte order mark or be in another encoding than UTF-8.
  var mayNeedConversion: Bool { count >= 2 && (self[0] == 0 || self[1] == 0 || self[0] >= 0xEF) }
}

extension DecodingState {
  /// Decodes the part's value, in a text that `begin` was told of.
  func decode<T: Decodable>(_ type: T.Type, _ part: TextPart) throws -> T {
    try decode(part) { try decode(type, $0, $1) }
  }

  /// Hands the part's value to a closure, in a text that `begin` was told of, and checks what the closure has left of
  /// it.
  @inline(__always)
  func decode<Value>(_ part: TextPart, _ body: (UInt32, ValuePlace) throws -> Value) throws -> Value {
    let start = part.text.skipSpace(part.start)
    guard start < part.text.count else {
      scanner.setFault(start)
      throw syntaxError()
    }
    errors.forget()
    // What is known of a part that was decoded before is of no use for this one.
    scanner.dropNodes()
    let root = scanner.pushNode(UInt32(truncatingIfNeeded: start), parent: -1, key: 0, .root)
    let depth = part.depth
    scanner.node(root).pointee.depth = UInt16(truncatingIfNeeded: depth)
    let value = try body(UInt32(truncatingIfNeeded: start), .node(root))
    if scanner.core.pointee.fault < 0 {
      scanner.finish(root)
      let end = scanner.core.pointee.fault < 0 ? scanner.endOfValue(start, depth: depth) : -1
      // Behind a part, nothing is read.
      let tail = end >= 0 && part.isDocument ? part.text.skipSpace(end) : part.text.count
      if end >= 0, tail == part.text.count {
        scanner.took(start, end)
        return value
      }
      if end >= 0 { scanner.setFault(tail) }
    }
    // A decoded type may have caught the error that came with it.
    throw syntaxError()
  }
}
