/// Finds the inverse of every relationship, and decides where the store keeps both sides.
struct SchemaLinker {
  private let entities: [Entity]
  private(set) var joins: [JoinTable] = []
  private(set) var problems: [SchemaViolation] = []

  init(_ entities: [Entity]) { self.entities = entities }

  mutating func link() {
    checkClasses()
    guard problems.isEmpty, entities.allSatisfy(\.problems.isEmpty) else { return }
    for entity in entities {
      for relationship in entity.relationships { findInverse(of: relationship) }
    }
    for entity in entities {
      for relationship in entity.relationships {
        if relationship.linked == nil {
          // One mistake is one problem: the reason why it could not be linked is listed already.
          guard !isRefused(relationship) else { continue }
          refuse(relationship, "has no inverse: name it on one of the two sides, as in @ToMany(inverse: \\…)")
        } else {
          settle(relationship)
        }
      }
    }
  }

  private mutating func checkClasses() {
    var names: Set<String> = []
    for entity in entities where !names.insert(entity.name.lowercased()).inserted {
      problems.append(SchemaViolation(type: entity.name, property: nil, text: "the name is taken by another class"))
    }
  }

  private mutating func findInverse(of relationship: Relationship) {
    let declaration = relationship.declaration
    guard let target = entities.first(where: { $0.type == declaration.target }) else {
      return refuse(relationship, "its target class \(declaration.target) is not in the schema")
    }
    relationship.target = target
    guard let keyPath = declaration.inverse else { return }
    let inverse: Relationship
    switch target.property(at: keyPath) {
    case .toOne(let found), .toMany(let found): inverse = found
    default: return refuse(relationship, "its inverse is not a relationship of \(target.name)")
    }
    guard inverse.declaration.target == relationship.entity.type else {
      return refuse(relationship, "its inverse, \(target.name).\(inverse.property), has another target class")
    }
    guard inverse !== relationship else { return refuse(relationship, "cannot be its own inverse") }
    guard inverse.linked == nil, relationship.linked == nil else {
      return refuse(relationship, "\(target.name).\(inverse.property) is already the inverse of another relationship")
    }
    relationship.link(to: inverse)
  }

  private mutating func settle(_ relationship: Relationship) {
    if let slot = relationship.declaration.slot {
      relationship.storage = .column(slot: slot)
    } else if let slot = relationship.inverse.declaration.slot {
      relationship.storage = .inverseColumn(slot: slot)
    } else if case .column = relationship.storage {
      // The first of the two sides settles both. The name does not depend on which side names its inverse.
      let inverse = relationship.inverse
      let sides = [relationship, inverse].sorted { $0.path < $1.path }
      let join = JoinTable(pairing: sides.map(\.side), index: joins.count)
      joins.append(join)
      sides[0].storage = .join(join, own: join.first, other: join.second)
      sides[1].storage = .join(join, own: join.second, other: join.first)
    }
  }

  private func isRefused(_ relationship: Relationship) -> Bool {
    problems.contains { $0.type == relationship.entity.name && $0.property == relationship.property }
  }

  private mutating func refuse(_ relationship: Relationship, _ text: String) {
    problems.append(SchemaViolation(type: relationship.entity.name, property: relationship.property, text: text))
  }
}

extension Relationship {
  var side: StoredSide { StoredSide(table: entity.name, property: property) }

  var path: String { side.path }
}
