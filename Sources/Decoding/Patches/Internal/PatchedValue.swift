/// A value while the operations of a patch are applied to it; after an error it must be discarded.
struct PatchedValue {
  /// Why an operation cannot be applied, and the pointer that caused it.
  struct Refusal: Error {
    let pointer: String
    let reason: JSONPatchError.Reason
  }

  private(set) var value: JSONValue
  /// The limit on copied values: a few copy operations can create more values than fit in memory when they are written
  /// out, although they share storage here.
  private var copies = 1 << 20

  init(_ value: JSONValue) { self.value = value }

  mutating func apply(_ operation: JSONPatch.Operation) throws(Refusal) {
    switch operation {
    case .add(let path, let value): try add(value, at: JSONPointer(path))
    case .remove(let path): _ = try remove(at: JSONPointer(path))
    case .replace(let path, let value): try replace(at: JSONPointer(path), by: value)
    case .move(let from, let path):
      let (source, target) = (try JSONPointer(from), try JSONPointer(path))
      let moved = try find(source)
      let isWithin = target.tokens.starts(with: source.tokens) { $0.utf8.elementsEqual($1.utf8) }
      if isWithin, source.tokens.count == target.tokens.count { return }
      if isWithin { throw target.refusal(.intoItself) }
      _ = try remove(at: source)
      try add(moved, at: target)
    case .copy(let from, let path):
      let source = try JSONPointer(from)
      let copy = try find(source)
      copies -= copy.countValues(upTo: copies)
      if copies <= 0 { throw source.refusal(.tooManyCopies) }
      try add(copy, at: JSONPointer(path))
    case .test(let path, let expected):
      let pointer = try JSONPointer(path)
      if try find(pointer) != expected { throw pointer.refusal(.testFailed) }
    }
  }

  private func find(_ pointer: JSONPointer) throws(Refusal) -> JSONValue {
    var found = value
    for token in pointer.tokens { found = found.child(try found.position(of: token, pointer)) }
    return found
  }

  private mutating func add(_ new: JSONValue, at pointer: JSONPointer) throws(Refusal) {
    guard let last = pointer.tokens.last else { return value = new }
    try change(pointer) { (container: inout JSONValue) throws(Refusal) in
      switch container {
      case .object(var object):
        container = .null
        object[last] = new
        container = .object(object)
      case .array(var array):
        container = .null
        let index = last == "-" ? array.count : JSONPointer.index(last)
        guard let index, index <= array.count else { throw pointer.refusal(.invalidIndex) }
        array.insert(new, at: index)
        container = .array(array)
      case .null, .bool, .number, .string: throw pointer.refusal(.notAContainer)
      }
    }
  }

  private mutating func remove(at pointer: JSONPointer) throws(Refusal) -> JSONValue {
    guard let last = pointer.tokens.last else {
      defer { value = .null }
      return value
    }
    return try change(pointer) { (container: inout JSONValue) throws(Refusal) in
      let position = try container.position(of: last, pointer)
      let removed = container.child(position)
      if case .object = container { container[last] = nil } else { container[position] = nil }
      return removed
    }
  }

  private mutating func replace(at pointer: JSONPointer, by new: JSONValue) throws(Refusal) {
    guard let last = pointer.tokens.last else { return value = new }
    try change(pointer) { (container: inout JSONValue) throws(Refusal) in
      let position = try container.position(of: last, pointer)
      container.put(new, at: position)
    }
  }

  /// Changes the object or array that a pointer leads into, in place. The containers around it are taken apart on the
  /// way and put together again, so nothing is copied and depth needs no stack.
  private mutating func change<Result>(
    _ pointer: JSONPointer, _ body: (inout JSONValue) throws(Refusal) -> Result
  ) throws(Refusal) -> Result {
    var around: [(container: JSONValue, position: Int)] = []
    var current = JSONValue.null
    swap(&current, &value)
    for token in pointer.tokens.dropLast() {
      let position = try current.position(of: token, pointer)
      let child = current.take(at: position)
      around.append((current, position))
      current = child
    }
    let result = try body(&current)
    while var outer = around.popLast() {
      outer.container.put(current, at: outer.position)
      current = outer.container
    }
    value = current
    return result
  }
}

extension JSONValue {
  /// Returns the position of the member or element that a token identifies.
  fileprivate func position(of token: String, _ pointer: JSONPointer) throws(PatchedValue.Refusal) -> Int {
    switch self {
    case .object(let object):
      guard let position = object.storage.position(of: token) else { throw pointer.refusal(.missing) }
      return position
    case .array(let array):
      guard let index = JSONPointer.index(token) else { throw pointer.refusal(.invalidIndex) }
      guard index < array.count else { throw pointer.refusal(.missing) }
      return index
    case .null, .bool, .number, .string: throw pointer.refusal(.notAContainer)
    }
  }

  fileprivate func child(_ position: Int) -> JSONValue { storage?.values[position] ?? .null }

  /// Removes a child and leaves null in its place.
  fileprivate mutating func take(at position: Int) -> JSONValue {
    var child = JSONValue.null
    exchange(&child, at: position)
    return child
  }

  fileprivate mutating func put(_ child: JSONValue, at position: Int) {
    var child = child
    exchange(&child, at: position)
  }

  private mutating func exchange(_ child: inout JSONValue, at position: Int) {
    switch self {
    case .object(var object):
      self = .null
      object.exchange(&child, at: position)
      self = .object(object)
    case .array(var array):
      self = .null
      array.exchange(&child, at: position)
      self = .array(array)
    case .null, .bool, .number, .string: break
    }
  }

  /// Returns the number of values in the value, including itself, up to a limit.
  fileprivate func countValues(upTo limit: Int) -> Int {
    var count = 1
    var open = [storage].compactMap { $0 }
    while count < limit, let next = open.popLast() {
      count += next.values.count
      open += next.values.compactMap(\.storage)
    }
    return count
  }
}
