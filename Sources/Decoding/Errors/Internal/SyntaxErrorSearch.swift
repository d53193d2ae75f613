/// Finds the error in a document that is not JSON, and the steps to the value that contains it.
///
/// The slow reader, which can describe the error, reads only one member or element. The skipper finds the offset at
/// which reading fails, unless a decoder already knows it. One more fast pass finds the containers around it.
struct SyntaxErrorSearch {
  private(set) var steps: [PathStep]
  private(set) var error: JSONSyntaxError
  /// The offset at which slow reading began.
  let start: Int

  /// Searches the value that starts at `base`; nil if it is JSON and nothing follows it.
  init?(_ text: ByteView, from base: Int = 0, depthLimit: Int) {
    let stack = SkipStack(capacity: depthLimit)
    var isTooDeep = false
    let end = text.skipWholeValue(base, kinds: stack.kinds, limit: stack.capacity, isTooDeep: &isTooDeep)
    let fault = end < 0 ? ~end : text.skipSpace(end)
    if end >= 0, fault == text.count { return nil }
    self.init(
      text, from: base, known: JSONSyntaxError(offset: fault, reason: isTooDeep ? .tooDeep : .unexpectedAfterValue))
  }

  /// Searches a value that is JSON up to an error whose offset is known, but whose reason may be different.
  init(_ text: ByteView, from base: Int = 0, known: JSONSyntaxError) {
    let open = OpenContainers(text, from: base, to: min(known.offset, text.count))
    steps = open.steps
    error = known
    start = open.containers.last?.last ?? base
    if known.reason == .tooLarge { return }
    do throws(JSONSyntaxError) {
      var reader = ByteReader(text, at: start)
      try read(open.containers.last, with: &reader)
    } catch {
      self.error = error
    }
  }

  /// Reads the last value of a container, or the only one of the document, and what follows it.
  private mutating func read(
    _ container: OpenContainers.Container?, with reader: inout ByteReader
  ) throws(JSONSyntaxError) {
    let count = steps.count
    reader.skipBlanks()
    if let container {
      steps.append(container.isObject ? .name(try reader.nextName()) : .index(container.commas))
    }
    switch try reader.kindOfValue() {
    case .object, .array:
      guard reader.offset < error.offset else { throw error }  // nested too deeply
      // The container was closed before the error.
      reader.offset = error.offset
    case .string, .number, .boolean, .null: try reader.skipScalar(reader.bytes[reader.offset])
    }
    // Between two members the object is malformed, not the member before.
    steps.removeSubrange(count...)
    switch container?.isObject {
    case true: _ = try reader.nextMember()
    case false: _ = try reader.nextElement()
    case nil:
      reader.skipBlanks()
      guard reader.offset == reader.bytes.count else { throw reader.fail(.unexpectedAfterValue) }
    }
  }
}
