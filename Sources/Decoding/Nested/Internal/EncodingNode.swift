/// A location to which values are encoded by path: what has been written there, and the containers that accept more.
///
/// Each container is requested once and cached, because not every encoder merges containers requested twice for the
/// same key.
final class EncodingNode {
  enum Place {
    case root(any Encoder)
    case member(of: EncodingNode, AnyKey)
    case element(of: EncodingNode)
  }

  private let place: Place
  private var object: KeyedEncodingContainer<AnyKey>?
  /// Whether there is an object: asking a container of the standard library costs a call.
  private(set) var isObject = false
  private var array: (any UnkeyedEncodingContainer)?
  private var hasValue = false
  private var members: [AnyKey: EncodingNode] = [:]
  /// The names of the members, unless the encoder distinguishes their Unicode forms.
  private var forms: Set<String> = []
  private var elements: [EncodingNode] = []

  init(_ place: Place) {
    self.place = place
  }

  /// Returns the node at the steps, which has no value yet, and opens containers on the way.
  func node(at steps: [PathStep], for value: Any) throws -> EncodingNode {
    try check(steps, for: value)
    return steps.reduce(self) { $0.child($1) }
  }

  /// Returns the node of a member, which has no value yet.
  func member(_ key: AnyKey, for value: Any) throws -> EncodingNode {
    try check([.name(ByteString(key.stringValue))], for: value)
    return child(named: key)
  }

  private func check(_ steps: [PathStep], for value: Any) throws {
    guard let (count, reason) = refusal(of: steps) else { return }
    throw EncodingError.invalid(value, at: codingPath + steps[..<count].map { AnyKey($0) }, reason)
  }

  /// Returns why no value can be encoded at the steps, and the number of steps up to the obstacle; nil if one can be.
  private func refusal(of steps: [PathStep]) -> (count: Int, reason: String)? {
    var node: EncodingNode? = self
    for (count, step) in steps.enumerated() {
      if node?.hasValue == true {
        return (count, "Nothing can be encoded inside a value that has already been encoded.")
      }
      switch step {
      case .name(let name):
        if node?.array != nil { return (count, "The container here is an array, which has no names.") }
        let member = node?.members[AnyKey(stringValue: name.text)]
        if member == nil, node?.forms.contains(name.text) == true {
          return (count, "The object already has this name in another Unicode form.")
        }
        node = member
      case .index(let index):
        if node?.isObject == true { return (count, "The container here is an object, which has no indices.") }
        let written = node?.elements.count ?? 0
        guard (0...written).contains(index) else {
          return (count, "Arrays are encoded in order: the next index is \(written), not \(index).")
        }
        node = index < written ? node?.elements[index] : nil
      }
    }
    return node?.isEmpty == false ? (steps.count, "A value has already been encoded here.") : nil
  }

  private var isEmpty: Bool { !hasValue && !isObject && array == nil }

  private func child(_ step: PathStep) -> EncodingNode {
    switch step {
    case .name(let name): return child(named: AnyKey(stringValue: name.text))
    case .index(let index):
      openArray()
      return index < elements.count ? elements[index] : EncodingNode(.element(of: self))
    }
  }

  private func child(named key: AnyKey) -> EncodingNode {
    openObject()
    let name = AnyKey(stringValue: key.stringValue)
    if let child = members[name] { return child }
    let child = EncodingNode(.member(of: self, key))
    members[name] = child
    if !distinguishesForms { forms.insert(key.stringValue) }
    return child
  }

  /// Makes the node an object unless it already is one. Returns false if it is anything else.
  func becomeObject() -> Bool {
    guard !hasValue, array == nil else { return false }
    openObject()
    return true
  }

  /// Opens the kind of container that the step leads into, unless the node already has a value.
  func expect(_ step: PathStep?) {
    guard isEmpty else { return }
    switch step {
    case .name: openObject()
    case .index: openArray()
    case nil: break
    }
  }

  private func openObject() {
    if isObject { return }
    isObject = true
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
    case .root(let encoder): try encoder.encodeSingleValue(value)
    case .member(let parent, let key): try parent.object?.encode(value, forKey: key)
    case .element(let parent):
      try parent.array?.encode(value)
      parent.elements.append(self)
    }
    hasValue = true
  }

  /// Returns the encoder of the root, which must be empty, for its only value.
  func claim() -> (any Encoder)? {
    guard case .root(let encoder) = place, isEmpty else { return nil }
    hasValue = true
    return encoder
  }

  /// Writes a member through the object's own container; nil if the encoder provided none.
  func claim<Made>(_ key: AnyKey, _ make: (inout KeyedEncodingContainer<AnyKey>, AnyKey) -> Made) throws -> Made? {
    try member(key, for: key.stringValue).hasValue = true
    guard var object else { return nil }
    return make(&object, key)
  }

  /// Returns whether there is something at the steps, which are names.
  func hasValue(at steps: [PathStep]) -> Bool {
    var node: EncodingNode? = self
    for case .name(let name) in steps { node = node?.members[AnyKey(stringValue: name.text)] }
    return node != nil
  }

  /// Returns whether a member with a name has been written.
  func hasMember(_ name: String) -> Bool { members[AnyKey(stringValue: name)] != nil || forms.contains(name) }

  /// Whether names that are canonically equivalent can be in one object.
  private var distinguishesForms: Bool {
    switch place {
    case .root(let encoder): encoder.keepsForm
    case .member(let parent, _), .element(let parent): parent.distinguishesForms
    }
  }

  var userInfo: [CodingUserInfoKey: Any] {
    switch place {
    case .root(let encoder): encoder.userInfo
    case .member(let parent, _), .element(let parent): parent.userInfo
    }
  }

  var codingPath: [any CodingKey] {
    switch place {
    case .root(let encoder): encoder.codingPath
    case .member(let parent, let key): parent.codingPath + [key]
    case .element(let parent): parent.codingPath
    }
  }
}
