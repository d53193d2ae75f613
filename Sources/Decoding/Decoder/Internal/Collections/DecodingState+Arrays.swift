/// Decoding arrays of numbers and strings in loops over concrete types, without `Codable` or generic code per element.
extension DecodingState {
  /// Returns the offset of the first element, or 0 if the array is empty.
  @inline(__always)
  func openArray(_ value: UInt32, _ node: Int) throws -> Int {
    guard value != absentValue, scanner.text[Int(value)] == 0x5B else {
      throw error(value, [Any].self, container: "unkeyed", path(node, value))
    }
    guard Int(scanner.node(node).pointee.depth) < scanner.core.pointee.depthLimit else {
      scanner.setFault(Int(value), .tooDeep)
      throw syntaxError()
    }
    let index = scanner.firstElement(Int(value))
    if index < 0 { throw syntaxError() }
    return index
  }

  func doubles(_ value: UInt32, _ node: Int) throws -> [Double] {
    var index = try openArray(value, node)
    var count = 0
    let core = scanner.core
    let text = scanner.text
    while index > 0 {
      var number = 0.0
      var end = -1
      if text.startsNumber(index) {
        number = text.double(index, &end)
        if end < 0 { scanner.setFault(~end) }
      }
      if end < 0 || !number.isFinite || number == 0 && !text.isZero(index, end) {
        let offset = UInt32(truncatingIfNeeded: index)
        guard let special = nonConforming(offset, as: Double.self) else {
          throw elementError(offset, Double.self, node, count)
        }
        number = special
        end = core.pointee.lastEnd
      }
      if count == core.pointee.numberCapacity { scanner.growNumbers() }
      core.pointee.numbers[count] = number.bitPattern
      count &+= 1
      index = scanner.nextElement(end, of: Int(value))
    }
    if index < 0 { throw syntaxError() }
    return array(count)
  }

  func integers(_ value: UInt32, _ node: Int) throws -> [Int] {
    var index = try openArray(value, node)
    var count = 0
    let core = scanner.core
    let text = scanner.text
    while index > 0 {
      var isNegative = false
      var end = -1
      let magnitude = text.startsNumber(index) ? text.integer(index, &isNegative, &end) : nil
      guard let magnitude, magnitude <= (isNegative ? UInt64(Int.max) + 1 : UInt64(Int.max)) else {
        throw elementError(UInt32(truncatingIfNeeded: index), Int.self, node, count)
      }
      if count == core.pointee.numberCapacity { scanner.growNumbers() }
      core.pointee.numbers[count] = isNegative ? 0 &- magnitude : magnitude
      count &+= 1
      index = scanner.nextElement(end, of: Int(value))
    }
    if index < 0 { throw syntaxError() }
    return array(count)
  }

  func strings(_ value: UInt32, _ node: Int) throws -> [String] {
    var index = try openArray(value, node)
    var result: [String] = []
    if index > 0 { result.reserveCapacity(4) }
    while index > 0 {
      guard scanner.text[index] == 0x22, let string = scanner.quotedString(index) else {
        throw elementError(UInt32(truncatingIfNeeded: index), String.self, node, result.count)
      }
      result.append(string)
      index = scanner.nextElement(scanner.core.pointee.lastEnd, of: Int(value))
    }
    if index < 0 { throw syntaxError() }
    return result
  }

  /// Returns the numbers read last as an array; `Int` and `Double` have the size of a word.
  @inline(__always)
  private func array<Number: BitwiseCopyable>(_ count: Int) -> [Number] {
    assert(MemoryLayout<Number>.stride == MemoryLayout<UInt64>.stride)
    // Copied from a buffer. Filling a buffer that the array provides takes twice as long for a few numbers.
    let words = UnsafeBufferPointer(start: scanner.core.pointee.numbers, count: count)
    return words.withMemoryRebound(to: Number.self) { Array($0) }
  }

  @inline(never)
  private func elementError(_ value: UInt32, _ type: Any.Type, _ node: Int, _ index: Int) -> DecodingError {
    error(value, type, path(value, ValuePlace(parent: node, key: UInt32(truncatingIfNeeded: index), kind: .index)))
  }
}
