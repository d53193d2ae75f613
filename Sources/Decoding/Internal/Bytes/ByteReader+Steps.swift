extension ByteReader {
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
