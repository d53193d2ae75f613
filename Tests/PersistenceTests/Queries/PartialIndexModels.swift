import Foundation
import Persistence

enum Mood: String, AttributeValue, CaseIterable { case calm, upset = "it's '\u{301}\"so\"; --", tired }

/// Indexes with all kinds of conditions.
final class Chore: ManagedObject {
  @Attribute var name = ""
  @Attribute var isDone = false
  @Attribute var isUrgent: Bool?
  @Attribute var mood = Mood.calm
  @Attribute var effort = 0
  @Attribute var price: Double?
  @Attribute var deadline: Date?
  @Attribute var area: String?
  @ToOne(inverse: \Chore.subchores) var parent: Chore?
  @ToMany var subchores: RelatedObjects<Chore>

  override class var indexes: [AttributeIndex] {
    [
      .on(\Chore.deadline, where: { !$0.isDone }),
      .on(\Chore.effort, where: { $0.mood == .upset }),
      .on(\Chore.effort, where: { $0.deadline != nil && $0.area.hasPrefix("ki'") }),
      .on(\Chore.name, where: { $0.effort.isIn([3, 5]) }),
      .on(\Chore.area, where: { $0.price > 1.25 || $0.isUrgent == true }),
      .on(\Chore.price, where: { $0.parent == nil && $0.area.contains("%\"_") }),
      .on(\Chore.price, where: { $0.mood.isIn([.calm, .upset]) && $0.effort > 2 && $0.effort > 4 }),
    ]
  }
}

final class Sailor: ManagedObject {
  @Attribute(.indexed) var name = ""
  @ToMany(inverse: \Shanty.sailor) var songs: RelatedObjects<Shanty>
}

struct Cover: QueryableValue {
  var format = ""
  var label = ""

  static var jsonNames: [PartialKeyPath<Cover>: String] { [\.format: "format", \.label: "label"] }
}

/// Indexes of all kinds.
final class Shanty: ManagedObject {
  @Attribute(.folded, .indexed) var title = ""
  @Attribute var code = ""
  @Attribute var isGone = false
  @Attribute var size = 0
  @Attribute var cover = Cover()
  @ToOne var sailor: Sailor?

  override class var indexes: [AttributeIndex] {
    [.on(\Shanty.code, where: { !$0.isGone }), .on(Shanty.self, by: { ($0.cover.format, $0.size) })]
  }
}

/// An address belongs to one active account.
final class Account: ManagedObject {
  @Attribute var email = ""
  @Attribute var isClosed = false
  @Attribute var note = ""

  override class var indexes: [AttributeIndex] { [.unique(\Account.email, where: { !$0.isClosed })] }
}

/// Conditions with canonically equivalent texts, which SQLite distinguishes.
final class Accent: ManagedObject {
  @Attribute var name = ""
  @Attribute var code = 0

  override class var indexes: [AttributeIndex] {
    [
      .unique(\Accent.code, where: { $0.name == "\u{E9}" }), .unique(\Accent.code, where: { $0.name == "e\u{301}" }),
    ]
  }
}
