/// The values in an array or object, behind one reference.
///
/// A custom class, because deallocating a standard array of nested arrays recurses. This class dismantles itself level
/// by level, however deep it is.
///
/// `@unchecked Sendable`: it changes only while it is known to have a single reference.
final class JSONStorage: @unchecked Sendable {
  let isObject: Bool
  /// The members' names, without duplicates; empty for an array.
  private(set) var names: [String] = []
  var values: [JSONValue] = []
  /// The number of each name, in objects with many members.
  private var numbers: [AnyKey: Int] = [:]
  /// The numbers of the members, in order and increasing; empty as long as each number is the member's position.
  private var order: [Int] = []
  /// How many names have been indexed, which is the cost of adding and removing members.
  private(set) var indexedNames = 0

  static let emptyArray = JSONStorage(isObject: false)
  static let emptyObject = JSONStorage(isObject: true)

  /// With fewer names, linear search is faster than hashing.
  private static let indexThreshold = 16

  init(isObject: Bool) { self.isObject = isObject }

  deinit {
    guard values.contains(where: { $0.storage != nil }) else { return }
    var pending = takeContainers()
    while var next = pending.popLast() {
      if isKnownUniquelyReferenced(&next) { pending += next.takeContainers() }
    }
  }

  private func takeContainers() -> [JSONStorage] {
    defer { values = [] }
    return values.compactMap(\.storage)
  }

  func copy() -> JSONStorage {
    let copy = JSONStorage(isObject: isObject)
    copy.names = names
    copy.values = values
    copy.numbers = numbers
    copy.order = order
    copy.indexedNames = indexedNames
    return copy
  }

  func position(of name: String) -> Int? {
    guard !numbers.isEmpty else { return names.firstIndex { $0.hasSameBytes(as: name) } }
    guard let number = numbers[AnyKey(stringValue: name)] else { return nil }
    if order.isEmpty { return number }
    return order.lastIndex(whileTrue: { $0 <= number })
  }

  /// Adds a member; false if the name already exists, in which case its value is unchanged.
  @discardableResult
  func append(_ name: String, _ value: JSONValue) -> Bool {
    guard position(of: name) == nil else { return false }
    names.append(name)
    values.append(value)
    if !numbers.isEmpty {
      let number = order.last.map { $0 + 1 } ?? names.count - 1
      if !order.isEmpty { order.append(number) }
      index(name, number)
    } else if names.count == Self.indexThreshold {
      for (position, name) in names.enumerated() { index(name, position) }
    }
    return true
  }

  /// Adds an element or a member.
  func add(_ name: String, _ value: JSONValue) {
    if isObject { append(name, value) } else { values.append(value) }
  }

  /// The array or object.
  var value: JSONValue { isObject ? .object(JSONObject(self)) : .array(JSONArray(self)) }

  private func index(_ name: String, _ number: Int) {
    numbers[AnyKey(stringValue: name)] = number
    indexedNames += 1
  }

  /// The other members keep their numbers, so that nothing is indexed again.
  func removeMember(at position: Int) {
    let name = names.remove(at: position)
    values.remove(at: position)
    guard numbers.removeValue(forKey: AnyKey(stringValue: name)) != nil else { return }
    if order.isEmpty { order = Array(0...names.count) }
    order.remove(at: position)
  }
}

extension JSONValue {
  /// The storage of an array or object.
  var storage: JSONStorage? {
    switch self {
    case .array(let array): array.storage
    case .object(let object): object.storage
    case .null, .bool, .number, .string: nil
    }
  }
}
