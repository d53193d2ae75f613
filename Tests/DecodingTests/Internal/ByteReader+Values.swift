@testable import Decoding

/// Reading whole values slowly: what the skipper is compared with.
extension ByteReader {
  /// Passes one value and what is in it; stands behind its last byte afterwards.
  mutating func skipValue() throws(JSONSyntaxError) {
    // One bit per open container: set for an object.
    var isObject = SIMD8<UInt64>(repeating: 0)
    var depth = 0
    while true {
      let first = try startOfValue()
      if first == ASCII.leftBrace || first == ASCII.leftBracket {
        let opensObject = first == ASCII.leftBrace
        guard depth < Self.maximumDepth else { throw fail(.tooDeep) }
        if opensObject {
          isObject[depth >> 6] |= 1 << UInt64(depth & 63)
        } else {
          isObject[depth >> 6] &= ~(1 << UInt64(depth & 63))
        }
        depth += 1
        if opensObject {
          if try enterObject() != nil { continue }
        } else {
          if try enterArray() { continue }
        }
        depth -= 1
      } else {
        try skipScalar(first)
      }
      // A value has ended: close what ends with it, then go on to the next one.
      while depth > 0 {
        if isObject[(depth - 1) >> 6] >> UInt64((depth - 1) & 63) & 1 == 1 {
          if try nextMember() != nil { break }
        } else {
          if try nextElement() { break }
        }
        depth -= 1
      }
      if depth == 0 { return }
    }
  }

  /// Passes the only value and the blanks around it, and requires the end.
  mutating func skipDocument() throws(JSONSyntaxError) {
    try skipValue()
    skipBlanks()
    guard offset == bytes.count else { throw fail(.unexpectedAfterValue) }
  }

  /// Passes `{` and the first name with its colon; nil when the object is empty, which is passed whole.
  mutating func enterObject() throws(JSONSyntaxError) -> JSONName? {
    offset += 1
    skipBlanks()
    if next == ASCII.rightBrace {
      offset += 1
      return nil
    }
    return try name()
  }

  /// Passes `[`; false when the array is empty, which is passed whole.
  mutating func enterArray() throws(JSONSyntaxError) -> Bool {
    offset += 1
    skipBlanks()
    guard next == ASCII.rightBracket else { return true }
    offset += 1
    return false
  }
}
