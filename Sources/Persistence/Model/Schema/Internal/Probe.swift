/// Collects the declarations that the property wrappers of an instance report, in the order of their initialization.
@usableFromInline final class Probe {
  var columns: [Column] = []
  var relationships: [Relationship.Declaration] = []
  /// The class whose base initializer ran.
  var made: ManagedObject.Type?
  /// The slots that were read through a key path.
  var accesses: [UInt32] = []
  /// Added to the numbers of the properties.
  let base: UInt32

  init(base: UInt32 = 0) { self.base = base }

  /// The number of the first to-many relationship. Attributes are numbered from 0.
  static let relationBase: UInt32 = 0x8000
}

@usableFromInline func _probeAttribute<Value: AttributeValue>(
  _ cursor: UnsafeMutablePointer<RowCursor>, _ value: Value, _ options: [AttributeOption], _ unreadable: Value?
) -> UInt32 {
  guard let probe = cursor.pointee.probe?.takeUnretainedValue() else { return 0 }
  probe.columns.append(Column(value, options: options, unreadable: unreadable))
  return probe.base &+ UInt32(probe.columns.count - 1)
}

@usableFromInline func _probeToOne<Target: ManagedObject>(
  _ cursor: UnsafeMutablePointer<RowCursor>, _ target: Target.Type, _ inverse: AnyKeyPath?, _ rule: DeleteRule
) -> UInt32 {
  guard let probe = cursor.pointee.probe?.takeUnretainedValue() else { return 0 }
  let slot = probe.columns.count
  probe.columns.append(Column(referenceTo: Target.self))
  probe.relationships.append(
    .init(
      target: target, valueType: Target?.self, inverse: inverse, rule: rule, slot: slot, relation: nil,
      isOrdered: false))
  return probe.base &+ UInt32(slot)
}

@usableFromInline func _probeToMany<Target: ManagedObject>(
  _ cursor: UnsafeMutablePointer<RowCursor>, _ target: Target.Type, _ inverse: AnyKeyPath?, _ rule: DeleteRule,
  _ isOrdered: Bool
) -> UInt32 {
  guard let probe = cursor.pointee.probe?.takeUnretainedValue() else { return 0 }
  let relation = cursor.pointee.relation
  cursor.pointee.relation = relation &+ 1
  probe.relationships.append(
    .init(
      target: target, valueType: RelatedObjects<Target>.self, inverse: inverse, rule: rule, slot: nil,
      relation: Int(relation),
      isOrdered: isOrdered))
  return probe.base &+ Probe.relationBase &+ relation
}
