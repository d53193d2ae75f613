extension JSONScanner {
  /// Follows the steps of a singular path from the value at `start` and reads nothing after the result.
  ///
  /// If several members have the same name, the first one counts. Returns nil with a fault recorded.
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
        // The first byte may be misleading, so malformed text is reported as such.
        if text[value] | 0x20 != 0x7B, skipValue(value, depth: index) < 0 { return nil }
        return .mismatch(step: index, value: value, kind: kind)
      }
    }
    return kind(at: value) == nil ? nil : .found(at: value)
  }

  /// Returns the kind of the value that starts at an offset; nil with a fault recorded.
  func kind(at value: Int) -> ValueKind? {
    if value < text.count, let kind = ValueKind(firstByte: text[value]) { return kind }
    setFault(value)
    return nil
  }

  /// Returns the value of the first member with a name, or a `KeyStep`.
  @inline(never)
  private func member(_ name: ByteView, of object: Int, depth: Int) -> Int {
    var cursor = ChildCursor(scanner: self, container: object, depth: depth)
    while cursor.next() {
      if cursor.nameMatches(name) { return cursor.value }
    }
    return cursor.isFaulty ? KeyStep.fault : KeyStep.end
  }

  /// Returns the element at an index, which counts from the end if negative, or a `KeyStep`.
  func element(_ index: Int, of array: Int, depth: Int) -> Int {
    var cursor = ChildCursor(scanner: self, container: array, depth: depth)
    var position = index
    if index < 0 {
      while cursor.next() {}
      if cursor.isFaulty { return KeyStep.fault }
      position = cursor.index + 1 + index
      if position < 0 { return KeyStep.end }
      cursor = ChildCursor(scanner: self, container: array, depth: depth)
    }
    while cursor.next() {
      if cursor.index == position { return cursor.value }
    }
    return cursor.isFaulty ? KeyStep.fault : KeyStep.end
  }
}
