import Foundation

@testable import Persistence

/// The classes before the migrations.
enum TrackedBefore {
  final class Item: ManagedObject {
    @Attribute var name = "?"
    @Attribute var note: String?
    @Attribute var price: Decimal = 1
    @ToOne var owner: TrackedBefore.Person?
  }
  final class Person: ManagedObject {
    @Attribute var name = ""
    @ToMany(inverse: \TrackedBefore.Item.owner) var items: RelatedObjects<TrackedBefore.Item>
  }
  final class Gone: ManagedObject {
    @Attribute var text = ""
  }

  static var untracked: Schema { Schema(Item.self, Person.self, Gone.self) }
  static var schema: Schema {
    untracked.tracking([TrackedClass(Item.self), TrackedClass(Person.self), TrackedClass(Gone.self)])
  }
}

/// Other names for everything.
enum TrackedRenamed {
  final class Thing: ManagedObject {
    @Attribute var title = "?"
    @Attribute var note: String?
    @Attribute var cost: Decimal = 1
    @ToOne var holder: TrackedRenamed.Human?
  }
  final class Human: ManagedObject {
    @Attribute var name = ""
    @ToMany(inverse: \TrackedRenamed.Thing.holder) var things: RelatedObjects<TrackedRenamed.Thing>
  }
  final class Gone: ManagedObject {
    @Attribute var text = ""
  }

  static let steps: [MigrationStep] = [
    .renameClass("Item", to: "Thing", in: 2), .renameClass("Person", to: "Human", in: 2),
    .rename("name", of: "Thing", to: "title", in: 2), .rename("price", of: "Thing", to: "cost", in: 2),
    .rename("owner", of: "Thing", to: "holder", in: 2),
  ]
  static var untracked: Schema { Schema(Thing.self, Human.self, Gone.self).version(2, steps) }
  static var schema: Schema {
    untracked.tracking([TrackedClass(Thing.self), TrackedClass(Human.self), TrackedClass(Gone.self)])
  }
}

/// Two classes have swapped their names.
enum TrackedSwapped {
  final class Person: ManagedObject {
    @Attribute var name = "?"
    @Attribute var note: String?
    @Attribute var price: Decimal = 1
    @ToOne var owner: TrackedSwapped.Item?
  }
  final class Item: ManagedObject {
    @Attribute var name = ""
    @ToMany(inverse: \TrackedSwapped.Person.owner) var items: RelatedObjects<TrackedSwapped.Person>
  }

  static let steps: [MigrationStep] = [
    .renameClass("Item", to: "Other", in: 2), .renameClass("Person", to: "Item", in: 2),
    .renameClass("Other", to: "Person", in: 2),
  ]
  static var schema: Schema {
    Schema(Person.self, Item.self).version(2, steps).tracking([TrackedClass(Item.self), TrackedClass(Person.self)])
  }
}

/// More attributes, of which one has an initial value that a table's definition cannot contain; and other letter case.
enum TrackedWider {
  // swift-format-ignore: AlwaysUseLowerCamelCase
  final class ITEM: ManagedObject {
    @Attribute var Name = "?"
    @Attribute var note: String?
    @Attribute var price: Decimal = 1
    @Attribute var size = 7
    @Attribute var weight: Decimal = 2
    @Attribute var code = "a\u{0}b"
    @Attribute(.folded) var label: String?
    @ToOne var owner: TrackedWider.Person?
  }
  final class Person: ManagedObject {
    @Attribute var name = ""
    @ToMany(inverse: \TrackedWider.ITEM.owner) var items: RelatedObjects<TrackedWider.ITEM>
  }
  static var untracked: Schema { Schema(ITEM.self, Person.self) }
  static var schema: Schema { untracked.tracking([TrackedClass(ITEM.self), TrackedClass(Person.self)]) }
}

/// An attribute is no longer optional, and others are gone, as is a class.
enum TrackedNarrower {
  final class Item: ManagedObject {
    @Attribute var note = "none"
    @ToOne var owner: TrackedNarrower.Person?
  }
  final class Person: ManagedObject {
    @Attribute var name = ""
    @ToMany(inverse: \TrackedNarrower.Item.owner) var items: RelatedObjects<TrackedNarrower.Item>
  }
  static func schema(_ steps: [MigrationStep] = []) -> Schema {
    Schema(Item.self, Person.self).version(2, steps).tracking([TrackedClass(Item.self), TrackedClass(Person.self)])
  }
}
