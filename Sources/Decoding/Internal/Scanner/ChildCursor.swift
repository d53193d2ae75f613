/// Iterates over the members of an object or the elements of an array.
struct ChildCursor {
  let isObject: Bool
  private(set) var members: MemberCursor
  private(set) var elements: ElementCursor

  /// - Parameters:
  ///   - container: The start of the object or array.
  ///   - depth: The number of containers around a child.
  init(scanner: JSONScanner, container: Int, depth: Int) {
    isObject = scanner.text[container] == 0x7B
    members = MemberCursor(scanner: scanner, object: container, depth: depth)
    elements = ElementCursor(scanner: scanner, array: container, depth: depth)
  }

  var container: Int { elements.array }

  var depth: Int { elements.depth }

  /// The start of the child's value.
  @inline(__always)
  var value: Int { isObject ? members.value : elements.value }

  var isFaulty: Bool { isObject ? members.isFaulty : elements.isFaulty }

  /// Advances to the next child; false at the end, or with a fault recorded.
  @inline(__always)
  mutating func next() -> Bool { isObject ? members.next() : elements.next() }
}
