/// What an error tells about a place in the bytes. Everything here runs after a failure only.
extension ByteReader {
  func position(of offset: Int) -> SourcePosition {
    let end = min(max(offset, 0), bytes.count)
    var line = 1
    var column = 1
    for byte in bytes[..<end] {
      if byte == ASCII.newline {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return SourcePosition(offset: end, line: line, column: column)
  }

  /// At most 80 characters of the text around the offset, on one line.
  func snippet(around offset: Int) -> String {
    let limit = 80
    // Four bytes at most per character: enough bytes for the limit, begun and ended between characters.
    var start = max(0, min(offset, bytes.count) - 24)
    while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
    let end = min(bytes.count, start + limit * 4)
    let text = String(decoding: bytes[start..<end], as: UTF8.self)
    var characters = text.unicodeScalars.prefix(limit - (start > 0 ? 1 : 0)).map { scalar in
      scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0x2028 || scalar.value == 0x2029
        ? Unicode.Scalar(0x20 as UInt8) : scalar
    }
    let isCut = end < bytes.count || characters.count < text.unicodeScalars.count
    if isCut, characters.count + (start > 0 ? 1 : 0) >= limit { characters.removeLast() }
    var result = String.UnicodeScalarView()
    if start > 0 { result.append("…") }
    result.append(contentsOf: characters)
    if isCut { result.append("…") }
    return String(result)
  }

  /// The names in the object at the offset, in their order, as far as they can be read.
  func names(inObjectAt offset: Int, limit: Int = 20) -> [String] {
    var reader = ByteReader(bytes, at: offset)
    var names: [String] = []
    // The bytes may be malformed further on; the names before that are what there is to tell.
    do throws(JSONSyntaxError) {
      guard try reader.kindOfValue() == .object else { return [] }
      var name = try reader.enterObject()
      while let current = name, names.count < limit {
        let text = reader.text(of: current)
        names.append(text.count > 80 ? "\(text.prefix(79))…" : text)
        try reader.skipValue()
        name = try reader.nextMember()
      }
    } catch {
      return names
    }
    return names
  }
}
