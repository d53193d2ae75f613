/// A place that values are encoded to by path: what was written there, and the containers that take more.
///
/// Containers are asked for once and kept: not every encoder merges those that it is asked for twice under one key.
final class EncodingNode {
  enum Place {
    case root(any Encoder)
    case member(of: EncodingNode, AnyKey)
    case element(of: EncodingNode)
  }

  private let place: Place
  private var object: KeyedEncodingContainer<AnyKey>?
  private var array: (any UnkeyedEncodingContainer)?
  private var hasValue = false
  private var members: [String: EncodingNode] = [:]
  private var elements: [EncodingNode] = []

  init(_ place: Place) {
    self.place = place
  }

  /// The place that the steps lead to, which has no value yet; containers are opened on the way.
  func node(at steps: [PathStep], for value: Any) throws -> EncodingNode {
    if let (count, reason) = refusal(of: steps) {
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(codingPath: codingPath + steps[..<count].map { AnyKey($0) }, debugDescription: reason))
    }
    return steps.reduce(self) { $0.child($1) }
  }

  /// Why no value can be encoded at the steps, and after how many of them that shows; nil when one can.
  private func refusal(of steps: [PathStep]) -> (count: Int, reason: String)? {
    var node: EncodingNode? = self
    for (count, step) in steps.enumerated() {
      if node?.hasValue == true { return (count, "A value is there, so there can be nothing inside of it.") }
      switch step {
      case .name(let name):
        if node?.array != nil { return (count, "An array is there, which has no names.") }
        node = node?.members[name.text]
        if let node, !node.isNamed(name.text) {
          return (count, "A name is there that equals this one in Swift, in another Unicode form.")
        }
      case .index(let index):
        if node?.object != nil { return (count, "An object is there, which has no indices.") }
        let written = node?.elements.count ?? 0
        guard (0...written).contains(index) else {
          return (count, "Arrays are encoded in order: the next index is \(written), not \(index).")
        }
        node = index < written ? node?.elements[index] : nil
      }
    }
    return node?.isEmpty == false ? (steps.count, "A value was encoded there before.") : nil
  }

  private func isNamed(_ name: String) -> Bool {
    if case .member(_, let key) = place { key.stringValue.hasSameBytes(as: name) } else { false }
  }

  private var isEmpty: Bool { !hasValue && object == nil && array == nil }

  private func child(_ step: PathStep) -> EncodingNode {
    switch step {
    case .name(let name):
      openObject()
      let key = AnyKey(stringValue: name.text)
      let child = members[key.stringValue] ?? EncodingNode(.member(of: self, key))
      members[key.stringValue] = child
      return child
    case .index(let index):
      openArray()
      return index < elements.count ? elements[index] : EncodingNode(.element(of: self))
    }
  }

  /// Makes the container that the step is one of, unless something is there.
  func expect(_ step: PathStep?) {
    guard isEmpty else { return }
    switch step {
    case .name: openObject()
    case .index: openArray()
    case nil: break
    }
  }

  private func openObject() {
    guard object == nil else { return }
    switch place {
    case .root(let encoder): object = encoder.container(keyedBy: AnyKey.self)
    case .member(let parent, let key): object = parent.object?.nestedContainer(keyedBy: AnyKey.self, forKey: key)
    case .element(let parent):
      object = parent.array?.nestedContainer(keyedBy: AnyKey.self)
      parent.elements.append(self)
    }
  }

  private func openArray() {
    guard array == nil else { return }
    switch place {
    case .root(let encoder): array = encoder.unkeyedContainer()
    case .member(let parent, let key): array = parent.object?.nestedUnkeyedContainer(forKey: key)
    case .element(let parent):
      array = parent.array?.nestedUnkeyedContainer()
      parent.elements.append(self)
    }
  }

  func encode<T: Encodable>(_ value: T) throws {
    switch place {
    case .root(let encoder):
      var container = encoder.singleValueContainer()
      try container.encode(value)
    case .member(let parent, let key): try parent.object?.encode(value, forKey: key)
    case .element(let parent):
      try parent.array?.encode(value)
      parent.elements.append(self)
    }
    hasValue = true
  }

  /// The object that the node is, to write a member with; nil where that is there, or an object cannot be.
  func claim(_ key: AnyKey) -> KeyedEncodingContainer<AnyKey>? {
    let step = PathStep.name(ByteString(key.stringValue))
    guard refusal(of: [step]) == nil else { return nil }
    child(step).hasValue = true
    return object
  }

  /// Whether a member of that name was written.
  func hasMember(_ name: String) -> Bool { members[name] != nil }

  var userInfo: [CodingUserInfoKey: Any] {
    switch place {
    case .root(let encoder): encoder.userInfo
    case .member(let parent, _), .element(let parent): parent.userInfo
    }
  }

  private var codingPath: [any CodingKey] {
    switch place {
    case .root(let encoder): encoder.codingPath
    case .member(let parent, let key): parent.codingPath + [key]
    case .element(let parent): parent.codingPath
    }
  }
}
