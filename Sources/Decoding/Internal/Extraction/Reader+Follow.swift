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
