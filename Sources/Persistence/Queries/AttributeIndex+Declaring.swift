extension QueryExpression: IndexTerm {
  func indexSource(in entity: Entity) -> IndexSource? {
    if case .property(let path, of: 0) = self { return entity.slot(at: path).map { IndexSource(slot: $0) } }
    guard case .field(_, let field) = self, field.form != .json, let source = fieldSource, source.scope == 0,
      let slot = entity.slot(at: source.path)
    else { return nil }
    let path = FieldPath(names: source.names, form: field.form.rawValue)
    return IndexSource(slot: slot, field: (path, field.storage))
  }

  func indexCondition(of entity: Entity) throws(UnsupportedQueryError) -> IndexCondition {
    try IndexCondition(self, of: entity)
  }
}

extension AttributeIndex {
  /// Creates an index. The index speeds up queries with conditions on the first property, on the first two properties,
  /// and so on.
  ///
  /// - Parameters:
  ///   - keyPaths: The key paths of attributes and to-one relationships.
  ///   - condition: A condition that selects the objects in the index, or nil for all objects.
  public static func on<Object: ManagedObject>(
    _ keyPaths: PartialKeyPath<Object>..., where condition: ((Row<Object>) -> Query<Object>)? = nil
  ) -> AttributeIndex {
    AttributeIndex(parts: keyPaths.map { .path($0) }, isUnique: false, condition: expression(of: condition))
  }

  /// Creates an index on terms. A term can be a property of a ``QueryableValue``, as in
  /// `.on(Contact.self, by: { ($0.address.city, $0.name) })`.
  ///
  /// The store keeps a copy of each indexed property of a queryable value in a separate column, which it writes
  /// together with the value.
  ///
  /// - Parameters:
  ///   - type: The class that has the index.
  ///   - terms: A closure that returns attributes, to-one relationships, and properties of queryable values.
  ///   - condition: A condition that selects the objects in the index, or nil for all objects.
  public static func on<Object: ManagedObject, each Value: QueryValue>(
    _ type: Object.Type, by terms: (Row<Object>) -> (repeat Term<Object, each Value>),
    where condition: ((Row<Object>) -> Query<Object>)? = nil
  ) -> AttributeIndex {
    let terms = SelectedTerm.all(terms).map { Part.term($0.expression) }
    return AttributeIndex(parts: terms, isUnique: false, condition: expression(of: condition))
  }

  /// Creates a uniqueness constraint. No two objects of the class can have the same combination of values, except for
  /// combinations that contain nil.
  ///
  /// Two objects can temporarily have the same combination until they are saved, as with ``AttributeOption/unique``.
  /// However, if the combination consists only of relationships, the next fetch in the closure already throws
  /// ``PersistenceError/notUnique(_:)`` if two objects still have the same combination.
  ///
  /// - Parameters:
  ///   - keyPaths: The key paths of attributes and to-one relationships.
  ///   - folded: The key paths of attributes of type `String` or `String?` whose values are compared without regard to
  ///     case and diacritics, as with ``AttributeOption/uniqueFolded``.
  ///   - condition: A condition that selects the objects to which the constraint applies, or nil for all objects. If
  ///     there is a condition, imports and ``ObjectSpace/findOrInsert(_:_:_:)->(Object,Bool)`` cannot look up objects
  ///     by these properties.
  public static func unique<Object: ManagedObject>(
    _ keyPaths: PartialKeyPath<Object>..., folding folded: PartialKeyPath<Object>...,
    where condition: ((Row<Object>) -> Query<Object>)? = nil
  ) -> AttributeIndex {
    let parts = keyPaths.map { Part.path($0) } + folded.map { .folded($0) }
    return AttributeIndex(parts: parts, isUnique: true, condition: expression(of: condition))
  }

  private static func expression<Object: ManagedObject>(
    of condition: ((Row<Object>) -> Query<Object>)?
  ) -> QueryExpression? {
    condition.map { Query($0).scoped.asCompleteCondition }
  }
}
