extension Reader {
  /// Follows the steps of a singular path from the value at `start`, reading nothing behind the answer.
  ///
  /// Of members with the same name the first one counts. Nil with a fault recorded.
  func follow(_ steps: [PathStep], from start: Int) -> StepOutcome? {
    var value = text.skipSpace(start)
    for (index, step) in steps.enumerated() {
      guard let kind = kind(at: value) else { return nil }
      switch (step, kind) {
      case (.name(let name), .object):
        let found = name.utf8.withUnsafeBytes { member(ByteView($0), of: value, depth: index + 1) }
        if found < 0 { return found == KeyStep.end ? .missing(step: index, container: value) : nil }
        value = found
      case (.index(let position), .array):
        let found = element(position, of: value, depth: index + 1)
        if found < 0 { return found == KeyStep.end ? .missing(step: index, container: value) : nil }
        value = found
      default:
        return .mismatch(step: index, value: value, kind: kind)
      }
    }
    return kind(at: value) == nil ? nil : .found(at: value)
  }

  /// The kind of value that starts at an offset; nil with a fault recorded.
  func kind(at value: Int) -> ValueKind? {
    if value < text.count, let kind = ValueKind(firstByte: text[value]) { return kind }
    setFault(value)
    return nil
  }

  /// The value of the first member with a name, or a `KeyStep`.
  @inline(never)
  private func member(_ name: ByteView, of object: Int, depth: Int) -> Int {
    var cursor = MemberCursor(reader: self, object: object, depth: depth)
    while cursor.next() {
      if cursor.nameMatches(name) { return cursor.value }
    }
    return cursor.isFaulty ? KeyStep.fault : KeyStep.end
  }

  /// The element at an index, which counts from the end when negative, or a `KeyStep`.
  func element(_ index: Int, of array: Int, depth: Int) -> Int {
    var position = index
    if index < 0 {
      let count = elements(of: array, depth: depth, limit: .max).count
      if core.pointee.fault >= 0 { return KeyStep.fault }
      position = count + index
      if position < 0 { return KeyStep.end }
    }
    let (count, last) = elements(of: array, depth: depth, limit: position)
    if core.pointee.fault >= 0 { return KeyStep.fault }
    return count > position ? last : KeyStep.end
  }

  /// Goes through elements to the one at `limit`; answers how many there were with it, and where the last one starts.
  private func elements(of array: Int, depth: Int, limit: Int) -> (count: Int, last: Int) {
    var count = 0
    var index = firstElement(array)
    while index > 0 {
      count &+= 1
      if count > limit { return (count, index) }
      let end = endOfValue(index, depth: depth)
      if end < 0 { break }
      index = nextElement(end, of: array)
    }
    return (count, index)
  }
}

/// Goes through the members of an object without recording them.
struct MemberCursor {
  let reader: Reader
  let object: Int
  let depth: Int
  /// Where the member's value starts.
  private(set) var value = -1
  private(set) var isFaulty = false
  private var nameStart = 0
  private var nameLength = 0
  private var isEscaped = false

  init(reader: Reader, object: Int, depth: Int) {
    self.reader = reader
    self.object = object
    self.depth = depth
  }

  /// Moves to the next member; false at the end, or with a fault recorded.
  @inline(__always)
  mutating func next() -> Bool {
    let text = reader.text
    var index: Int
    if value < 0 {
      index = text.skipSpace(object &+ 1)
      guard index < text.count else { return fail(index) }
      if text[index] == 0x7D { return close(index) }
    } else {
      index = reader.endOfValue(value, depth: depth)
      if index < 0 { return fail(nil) }
      index = text.skipSpace(index)
      guard index < text.count else { return fail(index) }
      if text[index] == 0x7D { return close(index) }
      guard text[index] == 0x2C else { return fail(index) }
      index = text.skipSpace(index &+ 1)
    }
    guard index < text.count, text[index] == 0x22 else { return fail(index) }
    nameStart = index &+ 1
    isEscaped = false
    var isWide = false
    let end = text.validStringEnd(nameStart, &isEscaped, &isWide)
    if end < 0 { return fail(~end) }
    // Escapes are checked where the name is compared, or here.
    if isEscaped, reader.unescape(nameStart) < 0 { return fail(nil) }
    nameLength = end &- nameStart
    index = text.skipSpace(end &+ 1)
    guard index < text.count, text[index] == 0x3A else { return fail(index) }
    index = text.skipSpace(index &+ 1)
    guard index < text.count else { return fail(index) }
    value = index
    return true
  }

  @inline(__always)
  func nameMatches(_ name: ByteView) -> Bool {
    guard isEscaped else { return nameLength == name.count && reader.text.matches(nameStart, name) }
    let length = reader.unescape(nameStart)
    return length == name.count && ByteView(reader.core.pointee.scratch, count: length).matches(0, name)
  }

  private mutating func fail(_ offset: Int?) -> Bool {
    if let offset { reader.setFault(min(offset, reader.text.count)) }
    isFaulty = true
    return false
  }

  private func close(_ index: Int) -> Bool {
    reader.took(object, index &+ 1)
    return false
  }
}
