internal import Foundation

/// Finding objects by unique values, and creating those that do not exist.
extension ObjectSpace {
  /// Returns the object that has the given value for a unique attribute, or creates an object with that value if there
  /// is none.
  ///
  /// ```swift
  /// let (movie, isInserted) = try objects.findOrInsert(
  ///   Movie.self, \.remoteID, 275)
  /// ```
  ///
  /// This method runs one query, which takes unsaved changes into account. For a new object,
  /// ``ManagedObject/didInsert()`` runs before the attribute is set. If another context saves an object with the same
  /// value before this context saves, this context's save throws ``PersistenceError/notUnique(_:)``.
  ///
  /// - Returns: The object, and whether it is new.
  /// - Throws: ``PersistenceError/unsupportedQuery(_:)`` if the attribute is not declared unique;
  ///   ``PersistenceError/invalidValue(_:)``, with an id of 0, if the value cannot be stored.
  public func findOrInsert<Object: ManagedObject, Value: AttributeValue>(
    _ type: Object.Type, _ attribute: any KeyPath<Object, Value> & Sendable, _ value: Value.Unwrapped
  ) throws(PersistenceError) -> (object: Object, isInserted: Bool) {
    try findOrInsert(type, [.set(attribute, to: value)])
  }

  /// Returns the object that has the given values for a combination of properties that must be unique, or creates an
  /// object with those values if there is none.
  ///
  /// ```swift
  /// let (episode, _) = try objects.findOrInsert(
  ///   Episode.self, [.set(\.season, to: 2), .set(\.number, to: 7)])
  /// ```
  ///
  /// The order of the values does not matter. In all other respects, this method behaves like the variant that takes a
  /// single attribute.
  ///
  /// - Throws: ``PersistenceError/unsupportedQuery(_:)`` if the class declares no
  ///   ``AttributeIndex/unique(_:folding:where:)`` index on exactly these properties;
  ///   ``PersistenceError/invalidValue(_:)``, with an id of 0, if a value cannot be stored;
  ///   ``PersistenceError/foreignObject(type:)`` if a related object is deleted or belongs to another context.
  public func findOrInsert<Object: ManagedObject>(
    _ type: Object.Type, _ values: [UniqueValue<Object>]
  ) throws(PersistenceError) -> (object: Object, isInserted: Bool) {
    let registry = try registry(of: Object.self)
    let parts = try registry.uniqueParts(at: values.map(\.path))
    var request = FetchDescriptor(Object.self, limit: 1)
    for (part, value) in zip(parts, values) {
      let stored: StoredValue
      switch value.content {
      case .value(let value):
        try registry.requireStorable(value, part.slot)
        stored = value
      case .object(let object):
        guard let owner = object._registry, owner.space === self else {
          throw .foreignObject(type: "\(Swift.type(of: object))")
        }
        stored = .integer(object._id)
      }
      let (own, other) = (QueryExpression.property(value.path, of: 0), QueryExpression.value(stored))
      let test = part.isFolded ? QueryExpression.text(own, .foldedEquals, other) : .equal(own, other)
      request.condition = request.condition.map { .and($0, test) } ?? test
    }
    if let object = try objects(for: request).first { return (object, false) }
    let object = try inserted(Object.self)
    for (part, value) in zip(parts, values) {
      switch value.content {
      case .value(let value): registry.set(value, part.slot, of: object)
      case .object(let target): registry.setTarget(of: object, slot: part.slot, to: target)
      }
    }
    observed?.notify()
    return (object, true)
  }

  /// Returns the objects that have the given values for a unique attribute, in the order of the values, and creates an
  /// object for each value that no object has.
  ///
  /// ```swift
  /// let movies = try objects.findOrInsert(
  ///   Movie.self, \.remoteID, [275, 862])
  /// ```
  ///
  /// If a value occurs twice, the object with that value also occurs twice in the result. If the values are integers,
  /// this method runs one query for all of them. Otherwise, it runs one query for every 16,384 distinct values. In all
  /// other respects, this method behaves like the variant that takes a single value.
  ///
  /// - Throws: ``PersistenceError/unsupportedQuery(_:)`` if the attribute is not declared unique;
  ///   ``PersistenceError/invalidValue(_:)``, with an id of 0, if a value cannot be stored.
  public func findOrInsert<Object: ManagedObject, Value: AttributeValue>(
    _ type: Object.Type, _ attribute: any KeyPath<Object, Value> & Sendable, _ values: some Sequence<Value.Unwrapped>
  ) throws(PersistenceError) -> [Object] {
    let registry = try registry(of: Object.self)
    let part = try registry.uniqueParts(at: [attribute])[0]
    let values = values.map(\._operand)
    for value in values { try registry.requireStorable(value, part.slot) }
    var known = try find(Object.self, attribute, part, values)
    var result: [Object] = []
    result.reserveCapacity(values.count)
    for value in values {
      let key = UniqueKey(part.key(of: value))
      if let object = known[key] {
        result.append(object)
        continue
      }
      let object = try inserted(Object.self)
      registry.set(value, part.slot, of: object)
      known[key] = object
      result.append(object)
    }
    return result
  }

  private func find<Object: ManagedObject>(
    _ type: Object.Type, _ attribute: any PropertyPath, _ own: EntityIndex.Part, _ values: [StoredValue]
  ) throws(PersistenceError) -> [UniqueKey: Object] {
    let registry = try registry(of: Object.self)
    var keys: Set<UniqueKey> = []
    var rest = values.map(own.key).filter { keys.insert(UniqueKey($0)).inserted }[...]
    let areIntegers = rest.allSatisfy { if case .integer = $0 { true } else { false } }
    var result: [UniqueKey: Object] = [:]
    while !rest.isEmpty {
      let part = areIntegers ? rest : rest.prefix(ValueList.maximumOthers)
      rest = rest.dropFirst(part.count)
      var request = FetchDescriptor(Object.self)
      let property = QueryExpression.property(attribute, of: 0)
      request.condition = .isIn(own.isFolded ? .folded(property) : property, Array(part))
      for object in try objects(for: request) {
        result[UniqueKey(own.key(of: registry.value(own.slot, of: object)))] = object
      }
    }
    return result
  }

  /// Inserts an object. If that fails, so does the enclosing `persist`, because objects may have been inserted before.
  private func inserted<Object: ManagedObject>(_ type: Object.Type) throws(PersistenceError) -> Object {
    do {
      // The registry makes instances of exactly this class.
      return unsafeDowncast(try make(type), to: Object.self)
    } catch {
      fail(error)
      throw error
    }
  }
}

/// A stored value that equals those that SQLite considers equal. Equal strings can differ in their bytes.
private struct UniqueKey: Hashable {
  private let value: StoredValue

  init(_ value: StoredValue) {
    if case .text(let text) = value { self.value = .blob(Data(text.utf8)) } else { self.value = value }
  }
}

extension EntityIndex.Part {
  /// What is compared of a value.
  fileprivate func key(of value: StoredValue) -> StoredValue {
    guard isFolded, case .text(let text) = value else { return value }
    return .text(TextFolding.fold(text))
  }
}

extension EntityRegistry {
  /// The columns by which properties are unique, alone or together.
  fileprivate func uniqueParts(at paths: [any PropertyPath]) throws(PersistenceError) -> [EntityIndex.Part] {
    var slots: [Int] = []
    for path in paths {
      guard let slot = entity.slot(at: path) else { throw .unsupportedQuery(.unknown(path, in: entity)) }
      slots.append(slot)
    }
    if let parts = entity.uniqueParts(of: slots) { return parts }
    let names = slots.map { "\(entity.name).\(entity.columns[$0].property)" }.joined(separator: ", ")
    let reason =
      slots.count == 1 ? "is not declared unique" : "the class declares no unique index of exactly these properties"
    throw .unsupportedQuery(UnsupportedQueryError(names.isEmpty ? entity.name : names, reason))
  }

  fileprivate func requireStorable(_ value: StoredValue, _ slot: Int) throws(PersistenceError) {
    guard value.isNeverStored else { return }
    let reason = if case .unstorable(let reason) = value { reason } else { "NaN cannot be stored" }
    throw invalidValue(slot, reason)
  }
}
