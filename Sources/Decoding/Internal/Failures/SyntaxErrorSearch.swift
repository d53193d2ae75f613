/// Finds what is wrong with a document that is not JSON, and the steps to the value that it is wrong in.
///
/// Slow reading, which can say what is wrong, is kept to one member or element: the skipper finds where reading fails,
/// unless a decoder knows it already, and one more fast pass the containers around that.
struct SyntaxErrorSearch {
  private(set) var steps: [PathStep]
  private(set) var error: JSONSyntaxError
  /// Where slow reading began.
  let start: Int

  /// Searches the value that starts at `base`; nil where it is JSON and nothing follows it.
  init?(_ text: ByteView, from base: Int = 0, depthLimit: Int) {
    let stack = SkipStack(capacity: depthLimit)
    var isTooDeep = false
    let end = text.skipWholeValue(base, kinds: stack.kinds, limit: stack.capacity, isTooDeep: &isTooDeep)
    let fault = end < 0 ? ~end : text.skipSpace(end)
    if end >= 0, fault == text.count { return nil }
    self.init(
      text, from: base, known: JSONSyntaxError(offset: fault, reason: isTooDeep ? .tooDeep : .unexpectedAfterValue))
  }

  /// Searches a value that is JSON up to an error whose place is known, and whose reason may be another one.
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

  /// Reads the last value of a container, or the only one of the document, and what is behind it.
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
      // It was closed before the error.
      reader.offset = error.offset
    case .string, .number, .boolean, .null: try reader.skipScalar(reader.bytes[reader.offset])
    }
    // Between two members it is the object that is malformed, not the member before.
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
