/// The values in an array or object, behind one reference.
///
/// A class of our own, since freeing a standard array of values of arrays of values recurses: this one takes itself
/// apart level by level, however deep it is.
///
/// `@unchecked Sendable`: it changes only while one reference to it is known to exist.
final class JSONStorage: @unchecked Sendable {
  let isObject: Bool
  /// The members' names, each once; empty for an array.
  private(set) var names: [String] = []
  var values: [JSONValue] = []
  /// Where each name is, in objects with many.
  private var positions: [AnyKey: Int] = [:]

  static let emptyArray = JSONStorage(isObject: false)
  static let emptyObject = JSONStorage(isObject: true)

  /// With fewer names, looking through them beats hashing.
  private static let indexThreshold = 16

  init(isObject: Bool) {
    self.isObject = isObject
  }

  deinit {
    guard values.contains(where: { $0.storage != nil }) else { return }
    var pending = takeContainers()
    while var next = pending.popLast() {
      if isKnownUniquelyReferenced(&next) { pending += next.takeContainers() }
    }
  }

  private func takeContainers() -> [JSONStorage] {
    values.indices.compactMap { values[$0].takeStorage() }
  }

  func copy() -> JSONStorage {
    let copy = JSONStorage(isObject: isObject)
    copy.names = names
    copy.values = values
    copy.positions = positions
    return copy
  }

  func position(of name: String) -> Int? {
    positions.isEmpty
      ? names.firstIndex { $0.hasSameBytes(as: name) } : positions[AnyKey(stringValue: name)]
  }

  /// Adds a member; false where there is one of that name, which stays.
  @discardableResult
  func append(_ name: String, _ value: JSONValue) -> Bool {
    guard position(of: name) == nil else { return false }
    names.append(name)
    values.append(value)
    if !positions.isEmpty {
      positions[AnyKey(stringValue: name)] = names.count - 1
    } else if names.count == Self.indexThreshold {
      index()
    }
    return true
  }

  func removeMember(at position: Int) {
    names.remove(at: position)
    values.remove(at: position)
    index()
  }

  private func index() {
    positions.removeAll(keepingCapacity: true)
    guard names.count >= Self.indexThreshold else { return }
    for (position, name) in names.enumerated() { positions[AnyKey(stringValue: name)] = position }
  }
}

extension JSONValue {
  /// What an array or object holds.
  var storage: JSONStorage? {
    switch self {
    case .array(let array): array.storage
    case .object(let object): object.storage
    case .null, .bool, .number, .string: nil
    }
  }

  /// The same, and leaves null behind, so that the reference returned is one less.
  fileprivate mutating func takeStorage() -> JSONStorage? {
    guard let storage else { return nil }
    self = .null
    return storage
  }
}
