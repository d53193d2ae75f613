internal import Foundation

/// The part of a document that is decoded: all of it, or the value at a path.
struct TextPart {
  var text: ByteView
  /// The start of the value; whitespace before it is skipped.
  var start = 0
  var origin = Origin.document

  /// How the value was found.
  enum Origin {
    case document
    case steps([PathStep])
    /// By a path that can select several values; the steps are found again when a failure needs them.
    case match(depth: Int)
  }

  /// The number of containers around the value.
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
  @inline(__always)
  func decodeDocument<T: Decodable>(_ type: T.Type, _ text: ByteView) throws(LocatedDecodingError) -> T {
    try withState(TextPart(text: text)) { state, part in try state.decode(type, part) }
  }

  /// Calls a closure with a state for one call, and converts an error into a failure about the part as it is at that
  /// time.
  @inline(__always)
  func withState<Value>(
    _ part: TextPart, _ body: (DecodingState, inout TextPart) throws -> Value
  ) throws(LocatedDecodingError) -> Value {
    guard part.text.count < Int(absentValue) else { throw LocatedDecodingError(tooLarge: part) }
    var part = part
    var state = lease()
    defer { if DecodingState.end(&state) { giveBack(state) } }
    state.begin(part.text)
    do {
      return try body(state, &part)
    } catch {
      throw LocatedDecodingError(error, state, part)
    }
  }

  /// Calls a closure with the data as UTF-8 without a byte order mark.
  @inline(__always)
  func withUTF8<Value>(
    of data: Data, _ body: (ByteView) throws(LocatedDecodingError) -> Value
  ) throws(LocatedDecodingError) -> Value {
    try data.withByteView { (text) throws(LocatedDecodingError) in
      guard text.mayNeedConversion else { return try body(text) }
      return try data.asUTF8.withByteView(body)
    }
  }
}

extension ByteView {
  /// Whether the text may begin with a byte order mark or be in an encoding other than UTF-8.
  var mayNeedConversion: Bool { count >= 2 && (self[0] == 0 || self[1] == 0 || self[0] >= 0xEF) }
}

extension DecodingState {
  /// Decodes the part's value, in the text that was passed to `begin`.
  @inline(__always)
  func decode<T: Decodable>(_ type: T.Type, _ part: TextPart) throws -> T {
    try decode(part) { try decode(type, $0, $1) }
  }

  /// Calls a closure with the part's value, in the text that was passed to `begin`, and validates what the closure has
  /// not read of it.
  @inline(__always)
  func decode<Value>(_ part: TextPart, _ body: (UInt32, ValuePlace) throws -> Value) throws -> Value {
    let start = part.text.skipSpace(part.start)
    guard start < part.text.count else {
      scanner.setFault(start)
      throw syntaxError()
    }
    (errors.value, errors.container) = (absentValue, absentValue)
    // Nodes of a previously decoded part are of no use for this one.
    scanner.dropNodes()
    let root = scanner.pushNode(UInt32(truncatingIfNeeded: start), parent: -1, key: 0, .root)
    let depth = part.depth
    scanner.node(root).pointee.depth = UInt16(truncatingIfNeeded: depth)
    let value = try body(UInt32(truncatingIfNeeded: start), .node(root))
    if scanner.core.pointee.fault < 0 {
      scanner.finish(root)
      let end = scanner.core.pointee.fault < 0 ? scanner.endOfValue(start, depth: depth) : -1
      // Nothing is read after a part.
      let tail = end >= 0 && part.isDocument ? part.text.skipSpace(end) : part.text.count
      if end >= 0, tail == part.text.count {
        scanner.took(start, end)
        return value
      }
      if end >= 0 { scanner.setFault(tail) }
    }
    // A decoded type may have caught the error of the fault.
    throw syntaxError()
  }
}
