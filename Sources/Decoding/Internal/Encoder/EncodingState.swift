internal import Foundation

/// A document under construction: its bytes, and which values and containers are being written.
///
/// Values come in the order of the text nearly always, and are written straight behind each other. A container stays
/// open while it is the last one; it is closed when an outer one goes on, or its value has ended. Whoever writes to a
/// closed container all the same, or takes a super encoder, writes to a document of its own, an `Insertion`, whose
/// bytes are put in place at the end.
///
/// Containers are structures that users may keep and copy. They name what they write to by number, and numbers are used
/// once, so that one whose value has ended is found out.
final class EncodingState {
  let shared: SharedEncodingState
  let writer = ByteWriter()
  /// Of the value that the document is for.
  private let root: [any CodingKey]
  /// Below the root, to the value that is being encoded.
  private(set) var path: [PathEntry] = []
  private(set) var values: [OpenValue] = []
  private(set) var containers: [OpenContainer] = []
  /// Containers of open values that were closed, in the order of their ends.
  private var closed: [ClosedContainer] = []
  private var insertions: [Insertion] = []
  private let names = NameLog()
  /// Whether the text goes on behind members or elements that stand elsewhere.
  private var continues = false
  private var numbers: UInt32 = 0
  /// The container that is written to without further ado; 0 is none.
  private(set) var top: UInt32 = 0

  enum PathEntry {
    case key(any CodingKey)
    case index(Int)

    var key: any CodingKey {
      switch self {
      case .key(let key): key
      case .index(let index): AnyKey(intValue: index)
      }
    }
  }

  /// A value whose `encode(to:)` is running.
  struct OpenValue {
    enum Content: Equatable {
      case nothing, scalar
      case object(UInt32)
      case array(UInt32)
    }

    let number: UInt32
    /// Of the path.
    let depth: Int
    let containers: Int
    let closed: Int
    var content = Content.nothing
  }

  struct OpenContainer {
    let number: UInt32
    let parent: UInt32
    let isObject: Bool
    let name: String
    let firstName: Int
    var count = 0
  }

  private struct ClosedContainer {
    let container: OpenContainer
    /// Of the bracket.
    let end: Int
    var insertion: EncodingState?
  }

  private struct Insertion {
    let offset: Int
    /// How many bytes stand there for nothing.
    let replaced: Int
    let state: EncodingState
  }

  convenience init(_ options: EncodingOptions) {
    self.init(SharedEncodingState(options), root: [])
  }

  private init(_ shared: SharedEncodingState, root: [any CodingKey]) {
    self.shared = shared
    self.root = root
  }

  deinit { if !isTaken { writer.deallocate() } }
  private var isTaken = false
}

// MARK: Values

extension EncodingState {
  func depth(of index: UInt32) -> Int { index < values.count ? values[Int(index)].depth : path.count }

  func codingPath(_ depth: Int, _ suffix: [any CodingKey]) -> [any CodingKey] {
    root + path.prefix(depth).map(\.key) + suffix
  }

  /// Calls what encodes a value, where it belongs in the text. What was written is left there when it throws.
  ///
  /// - Parameter mayBeNothing: Whether a value that encodes nothing is an empty object, and no error.
  func encodeOpen(_ value: Any, mayBeNothing: Bool = true, _ body: (ValueEncoder) throws -> Void) throws {
    numbers += 1
    let index = values.count
    values.append(OpenValue(number: numbers, depth: path.count, containers: containers.count, closed: closed.count))
    top = 0
    defer { finish(index) }
    try body(ValueEncoder(state: self, index: UInt32(index), number: numbers))
    if values[index].content == .nothing {
      guard mayBeNothing else { throw nothingError(value) }
      writer.append("{}")
    }
  }

  /// Goes down to a value whose path is longer by that much, and returns the depth to come back to.
  func descend(_ suffix: [any CodingKey], _ entry: PathEntry?) -> Int {
    let depth = path.count
    for key in suffix { path.append(.key(key)) }
    if let entry { path.append(entry) }
    return depth
  }

  func ascend(to depth: Int) { path.removeLast(path.count - depth) }

  func setIndex(_ index: Int) { path[path.count - 1] = .index(index) }
  func setName(_ name: String) { path[path.count - 1] = .key(AnyKey(stringValue: name)) }

  private func nothingError(_ value: Any) -> EncodingError {
    EncodingError.invalidValue(
      value,
      EncodingError.Context(
        codingPath: root + path.map(\.key), debugDescription: "Top-level \(type(of: value)) did not encode any values.")
    )
  }

  private func finish(_ index: Int) {
    close(downTo: values[index].containers)
    closed.removeLast(closed.count - values[index].closed)
    values.removeLast(values.count - index)
    top = containers.count > (values.last?.containers ?? 0) ? containers[containers.count - 1].number : 0
  }

  private func isOpen(_ index: UInt32, _ number: UInt32) -> Bool {
    index < values.count && values[Int(index)].number == number
  }

  /// Marks a value as a scalar; false where it is something already, has ended, or one inside of it is being encoded.
  func beginScalar(_ index: UInt32, _ number: UInt32) -> Bool {
    guard index == values.count - 1, isOpen(index, number), values[Int(index)].content == .nothing else { return false }
    values[Int(index)].content = .scalar
    return true
  }

  /// After ``beginScalar(_:_:)``, where the scalar could not be written.
  func endScalar(_ index: UInt32) { values[Int(index)].content = .nothing }

  /// The container that a value is, or is from now on; 0 where it is something else, or has ended.
  func container(of index: UInt32, _ number: UInt32, isObject: Bool) -> UInt32 {
    guard isOpen(index, number) else { return 0 }
    switch values[Int(index)].content {
    case .object(let container): return isObject ? container : 0
    case .array(let container): return isObject ? 0 : container
    case .scalar: return 0
    case .nothing:
      // A value inside of this one is being encoded, which must end first.
      guard index == values.count - 1 else { return 0 }
      let container = openContainer(isObject: isObject, parent: 0, name: "")
      values[Int(index)].content = isObject ? .object(container) : .array(container)
      return container
    }
  }
}

// MARK: Containers

extension EncodingState {
  private func openContainer(isObject: Bool, parent: UInt32, name: String) -> UInt32 {
    writer.append(isObject ? ASCII.leftBrace : ASCII.leftBracket)
    return push(isObject: isObject, parent: parent, name: name)
  }

  private func push(isObject: Bool, parent: UInt32, name: String) -> UInt32 {
    numbers += 1
    containers.append(
      OpenContainer(number: numbers, parent: parent, isObject: isObject, name: name, firstName: names.count))
    top = numbers
    return numbers
  }

  private func close(downTo count: Int) {
    while containers.count > count {
      let container = containers.removeLast()
      names.cut(to: container.firstName)
      closed.append(ClosedContainer(container: container, end: writer.count))
      writer.append(container.isObject ? ASCII.rightBrace : ASCII.rightBracket)
    }
  }

  /// The document to write the container's next part to, in which it is the last one; nil where its value has ended, or
  /// one inside of it is being encoded.
  @inline(__always)
  func enter(_ container: UInt32) -> EncodingState? {
    container == top && container != 0 ? self : enterAgain(container)
  }

  @inline(never)
  private func enterAgain(_ number: UInt32) -> EncodingState? {
    guard number != 0 else { return nil }
    let first = values.last?.containers ?? 0
    if let index = containers.lastIndex(where: { $0.number == number }) {
      guard index >= first else { return nil }
      close(downTo: index + 1)
      top = number
      return self
    }
    guard let index = closed.lastIndex(where: { $0.container.number == number }), index >= values.last?.closed ?? 0
    else { return nil }
    if let insertion = closed[index].insertion { return insertion.enter(1) }
    let container = closed[index].container
    let insertion = EncodingState(shared, root: root + path.map(\.key))
    insertion.becomeContinuation(of: container)
    // Its names are known no more.
    if container.isObject { shared.mayRepeatNames = true }
    closed[index].insertion = insertion
    insertions.append(Insertion(offset: closed[index].end, replaced: 0, state: insertion))
    return insertion
  }

  private func becomeContinuation(of container: OpenContainer) {
    // Number 1, and never closed.
    _ = push(isObject: container.isObject, parent: 0, name: "")
    containers[0].count = container.count
    continues = container.count > 0
  }

  func count(of container: UInt32) -> Int {
    if let open = containers.last(where: { $0.number == container }) { return open.count }
    guard let closed = closed.last(where: { $0.container.number == container }) else { return 0 }
    return closed.insertion?.containers.first?.count ?? closed.container.count
  }
}

// MARK: Members and elements

extension EncodingState {
  /// What stands between a member or element and the one before.
  @inline(__always)
  private func separate() {
    switch writer.last {
    case ASCII.leftBrace, ASCII.leftBracket: break
    case 0: if continues { writer.append(ASCII.comma) }
    default: writer.append(ASCII.comma)
    }
  }

  /// Begins a member of the object that is on top.
  @inline(__always)
  func beginMember(_ key: some CodingKey, _ depth: Int, _ suffix: [any CodingKey]) {
    beginMember(named: shared.convertsKeys ? convertedName(key, depth, suffix) : key.stringValue)
  }

  @inline(__always)
  private func beginMember(named name: String) {
    separate()
    var name = name
    name.withUTF8 { bytes in
      if !names.add(bytes, from: containers[containers.count &- 1].firstName) { shared.mayRepeatNames = true }
      writer.append(quoting: bytes, shared.escapesSlashes)
    }
    writer.append(ASCII.colon)
    containers[containers.count &- 1].count &+= 1
  }

  private func convertedName(_ key: some CodingKey, _ depth: Int, _ suffix: [any CodingKey]) -> String {
    shared.convertedName(key) { codingPath(depth, suffix) }
  }

  /// Begins an element of the array that is on top, and returns its index.
  @inline(__always)
  func beginElement() -> Int {
    separate()
    defer { containers[containers.count &- 1].count &+= 1 }
    return containers[containers.count &- 1].count
  }

  /// The member or element that was begun comes to nothing.
  func takeBack(to start: Int) {
    cut(to: start)
    containers[containers.count - 1].count -= 1
  }

  /// Takes bytes back, with what was to be put in between.
  func cut(to start: Int) {
    writer.cut(to: start)
    insertions.removeAll { $0.offset >= start }
  }

  /// The container that a member of the object on top is: one that the name has already, or a new one.
  func nestedContainer(_ key: some CodingKey, _ depth: Int, _ suffix: [any CodingKey], isObject: Bool) -> UInt32 {
    let name = shared.convertsKeys ? convertedName(key, depth, suffix) : key.stringValue
    let parent = top
    if names.mayHave(name, from: containers[containers.count - 1].firstName) {
      let known = closed[(values.last?.closed ?? 0)...].last {
        $0.container.parent == parent && $0.container.isObject == isObject && $0.container.name == name
      }
      if let known { return known.container.number }
    }
    beginMember(named: name)
    return openContainer(isObject: isObject, parent: parent, name: name)
  }

  /// The container that an element of the array on top is.
  func nestedContainer(isObject: Bool) -> UInt32 {
    _ = beginElement()
    return openContainer(isObject: isObject, parent: 0, name: "")
  }

  /// An encoder of the value that has been begun, for any time until the document's end.
  func superEncoder(_ path: [any CodingKey]) -> any Encoder {
    let state = EncodingState(shared, root: path)
    insertions.append(Insertion(offset: writer.count, replaced: 2, state: state))
    writer.append("{}")
    return state.openRoot()
  }

  private func openRoot() -> ValueEncoder {
    numbers += 1
    values.append(OpenValue(number: numbers, depth: 0, containers: 0, closed: 0))
    return ValueEncoder(state: self, index: 0, number: numbers)
  }
}

// MARK: The end

extension EncodingState {
  /// The whole document.
  func document() -> Data {
    let text = assembled()
    guard shared.needsLayout else { return text.takeData() }
    defer { text.deallocate() }
    return JSONLayout.document(text.view, shared.options.outputFormatting)
  }

  /// The bytes with those of the insertions, for the caller to deallocate.
  private func assembled() -> ByteWriter {
    close(downTo: values.isEmpty ? min(containers.count, 1) : 0)
    guard !insertions.isEmpty else {
      isTaken = true
      return writer
    }
    let whole = ByteWriter(capacity: writer.count)
    var start = 0
    for insertion in insertions.sorted(by: { $0.offset < $1.offset }) {
      let text = insertion.state.assembled()
      defer { text.deallocate() }
      guard text.count > 0 else { continue }
      whole.append(writer.view.buffer(start, insertion.offset))
      whole.append(text.view.buffer(0, text.count))
      start = insertion.offset + insertion.replaced
    }
    whole.append(writer.view.buffer(start, writer.count))
    return whole
  }
}
