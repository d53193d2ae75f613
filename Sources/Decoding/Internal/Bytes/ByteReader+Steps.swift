/// How far a singular path leads into a document.
enum StepOutcome {
  /// The value starts at this offset.
  case found(at: Int)
  /// The object or array at this offset has no such member or element.
  case missing(step: Int, container: Int)
  /// The value at this offset is not of the kind that the step goes into.
  case mismatch(step: Int, value: Int, kind: ValueKind)
}

extension ByteReader {
  /// Follows the steps from the value that starts at the reader's offset, reading nothing behind the answer.
  ///
  /// Of members with the same name the first one counts.
  mutating func follow(_ steps: [PathStep]) throws(JSONSyntaxError) -> StepOutcome {
    for (index, step) in steps.enumerated() {
      let kind = try kindOfValue()
      let start = offset
      switch (step, kind) {
      case (.name(let name), .object):
        guard try enterMember(where: { reader, found in reader.matches(found, name.utf8) }) else {
          return .missing(step: index, container: start)
        }
      case (.index(let position), .array):
        guard try enterElement(position) else { return .missing(step: index, container: start) }
      default:
        // Its first byte may have promised too much: what is no JSON is told as that.
        try skipValue()
        return .mismatch(step: index, value: start, kind: kind)
      }
    }
    _ = try kindOfValue()
    return .found(at: offset)
  }

  /// Passes blanks and tells the kind of value that starts there.
  mutating func kindOfValue() throws(JSONSyntaxError) -> ValueKind {
    guard let kind = ValueKind(firstByte: try startOfValue()) else { throw fail(.expectedValue) }
    return kind
  }

  /// From the start of an object to the value of the first member that fits; false when there is none.
  mutating func enterMember(where fits: (ByteReader, JSONName) -> Bool) throws(JSONSyntaxError) -> Bool {
    var name = try enterObject()
    while let current = name {
      if fits(self, current) { return true }
      try skipValue()
      name = try nextMember()
    }
    return false
  }

  /// From the start of an array to its element at `index`, which counts from the end when negative.
  mutating func enterElement(_ index: Int) throws(JSONSyntaxError) -> Bool {
    let start = offset
    guard index < 0 else {
      var remaining = index
      var isInside = try enterArray()
      while isInside {
        if remaining == 0 { return true }
        remaining -= 1
        try skipValue()
        isInside = try nextElement()
      }
      return false
    }
    var count = 0
    var isInside = try enterArray()
    while isInside {
      count += 1
      try skipValue()
      isInside = try nextElement()
    }
    guard count + index >= 0 else { return false }
    offset = start
    return try enterElement(count + index)
  }
}
