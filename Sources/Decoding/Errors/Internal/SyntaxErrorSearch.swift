/// Finds the error in a document that is not JSON, and the steps to the value that contains it.
///
/// The skipper finds the offset at which reading fails, unless a decoder already knows it. One more fast pass finds the
/// containers around it, and only the last member or element is read once more to describe the error.
struct SyntaxErrorSearch {
  private(set) var steps: [PathStep]
  private(set) var error: JSONSyntaxError
  /// The offset at which reading once more began.
  let start: Int

  /// Searches the value that starts at `base`; nil if it is JSON and nothing follows it.
  init?(_ text: ByteView, from base: Int = 0, depthLimit: Int) {
    let stack = SkipStack(capacity: depthLimit)
    var progress = SkipProgress()
    let end = text.skipWhole(base, &progress, kinds: stack.kinds, limit: stack.capacity)
    let fault = end < 0 ? ~end : text.skipSpace(end)
    if end >= 0, fault == text.count { return nil }
    let reason: JSONSyntaxError.Reason = progress.isTooDeep ? .tooDeep : .unexpectedAfterValue
    self.init(text, from: base, known: JSONSyntaxError(offset: fault, reason: reason))
  }

  /// Searches a value that is JSON up to an error whose offset is known, but whose reason may be different.
  init(_ text: ByteView, from base: Int = 0, known: JSONSyntaxError) {
    let open = OpenContainers(text, from: base, to: min(known.offset, text.count))
    steps = open.steps
    error = known
    start = open.containers.last?.last ?? base
    if known.reason == .tooLarge { return }
    do throws(JSONSyntaxError) {
      try read(open.containers.last, in: text)
    } catch {
      self.error = error
    }
  }

  /// Reads the last value of a container, or the only one of the document, and what follows it.
  private mutating func read(_ container: OpenContainers.Container?, in text: ByteView) throws(JSONSyntaxError) {
    let count = steps.count
    var index = text.skipSpace(start)
    if let container {
      steps.append(container.isObject ? .name(try text.nextName(&index)) : .index(container.commas))
    }
    index = text.skipSpace(index)
    guard index < text.count, let kind = ValueKind(firstByte: text[index]) else {
      throw text.failure(.expectedValue, at: index)
    }
    switch kind {
    case .object, .array:
      guard index < error.offset else { throw error }  // nested too deeply
      // The container was closed before the error.
      index = error.offset
    case .string, .number, .boolean, .null: index = try text.endOfScalar(index)
    }
    // Between two members the object is malformed, not the member before.
    steps.removeSubrange(count...)
    index = text.skipSpace(index)
    let next = index < text.count ? text[index] : 0
    switch container?.isObject {
    case true where next == ASCII.comma:
      index += 1
      _ = try text.nextName(&index)
    case true: if next != ASCII.rightBrace { throw text.failure(.expectedCommaOrBrace, at: index) }
    case false:
      if next != ASCII.comma, next != ASCII.rightBracket { throw text.failure(.expectedCommaOrBracket, at: index) }
    case nil: if index < text.count { throw text.failure(.unexpectedAfterValue, at: index) }
    }
  }
}
