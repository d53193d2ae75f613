import Foundation
import Testing

@testable import Persistence

enum Tagging {
  final class Story: ManagedObject {
    @Attribute var name = ""
    @ToMany(inverse: \Tagging.Tag.stories) var tags: RelatedObjects<Tagging.Tag>
    @ToMany(inverse: \Tagging.Step.stories, ordered: true) var steps: RelatedObjects<Tagging.Step>
  }
  final class Tag: ManagedObject {
    @Attribute var name = ""
    @ToMany var stories: RelatedObjects<Story>
  }
  final class Step: ManagedObject {
    @Attribute var name = ""
    @ToMany var stories: RelatedObjects<Story>
  }

  static var untracked: Schema { Schema(Story.self, Tag.self, Step.self) }
  static func schema(independent: [AnyKeyPath] = []) -> Schema {
    untracked.tracking([
      TrackedClass(Story.self, lists: [\Story.tags, \Story.steps], independent: independent), TrackedClass(Tag.self),
      TrackedClass(Step.self),
    ])
  }
}

private enum Renamed {
  final class Tale: ManagedObject {
    @Attribute var name = ""
    @ToMany(inverse: \Renamed.Label.tales) var labels: RelatedObjects<Renamed.Label>
    @ToMany(inverse: \Renamed.Step.tales, ordered: true) var steps: RelatedObjects<Renamed.Step>
    @ToMany(inverse: \Renamed.Label.others) var others: RelatedObjects<Renamed.Label>
  }
  final class Label: ManagedObject {
    @Attribute var name = ""
    @ToMany var tales: RelatedObjects<Tale>
    @ToMany var others: RelatedObjects<Tale>
  }
  final class Step: ManagedObject {
    @Attribute var name = ""
    @ToMany var tales: RelatedObjects<Tale>
  }

  static let steps: [MigrationStep] = [
    .renameClass("Story", to: "Tale", in: 2), .renameClass("Tag", to: "Label", in: 2),
    .rename("tags", of: "Tale", to: "labels", in: 2), .rename("stories", of: "Label", to: "tales", in: 2),
    .rename("stories", of: "Step", to: "tales", in: 2),
  ]
  static var schema: Schema {
    Schema(Tale.self, Label.self, Step.self).version(2, steps).tracking([
      TrackedClass(Tale.self, lists: [\Tale.labels, \Tale.steps, \Tale.others]), TrackedClass(Label.self),
      TrackedClass(Step.self),
    ])
  }
}

@Suite struct TrackedListTests {
  private let tracked: TrackedStore

  /// A story with two of three tags, and with three steps that are not in the order of their ids; and one with none.
  init() throws {
    tracked = try TrackedStore(Tagging.schema())
    try tracked.space.persist { objects in
      let stories = ["first", "second"].map { name in
        let story = objects.insert(Tagging.Story.self)
        story.name = name
        return story
      }
      let tags = (1...3).map { _ in objects.insert(Tagging.Tag.self) }
      stories[0].tags = [tags[1], tags[0]]
      let steps = (1...3).map { _ in objects.insert(Tagging.Step.self) }
      stories[0].steps = [steps[2], steps[0], steps[1]]
    }
    for name in ["Story", "Tag", "Step"] { try tracked.file.clear(name) }
  }

  private static let first = BaseRecord(
    kind: 0, values: ["name": .text("first"), "tags": .text("1,2"), "steps": .text("3,1,2")])
  private static let second = BaseRecord(kind: 0, values: ["name": .text("second"), "tags": .null, "steps": .null])

  private var base: [Int64: BaseRecord] { get throws { try tracked.file.base(of: "Story") } }

  private func persist(
    _ body: ([Tagging.Story], [Tagging.Tag], [Tagging.Step], ObjectSpace) throws -> Void
  ) throws {
    try tracked.space.persist { objects in
      try body(
        objects.fetch(Tagging.Story.self), objects.fetch(Tagging.Tag.self), objects.fetch(Tagging.Step.self), objects)
    }
  }

  private static let edits: [@Sendable (Tagging.Story, [Tagging.Tag], [Tagging.Step]) -> Void] = [
    { story, tags, _ in story.tags.insert(tags[2]) },
    { story, tags, _ in story.tags.remove(tags[0]) },
    { story, tags, _ in tags[2].stories.insert(story) },
    { story, _, steps in story.steps = [steps[0], steps[1], steps[2]] },
    { story, _, steps in story.steps = [steps[1]] },
    { story, _, _ in story.name = "changed" },
  ]

  @Test(arguments: 0..<6, 0..<6)
  func `the base has the members from before the first change, whatever follows`(first: Int, second: Int) throws {
    for edit in [first, second] {
      try persist { stories, tags, steps, _ in Self.edits[edit](stories[0], tags, steps) }
    }
    #expect(try base == [1: Self.first])
    try persist { stories, _, _, objects in objects.delete(stories[0]) }
    #expect(try base == [1: Self.first])
  }

  @Test func `an owner without members has none in its base, and a new one no base`() throws {
    try persist { stories, tags, steps, objects in
      stories[1].tags.insert(tags[0])
      objects.insert(Tagging.Story.self).steps = [steps[1], steps[0]]
    }
    #expect(try base == [2: Self.second, 3: .inserted])
  }

  @Test(arguments: [false, true]) func `a deleted owner has its members in the base`(isBulk: Bool) throws {
    try persist { stories, _, _, objects in
      if isBulk { try objects.delete(Tagging.Story.self) { $0.name == "first" } } else { objects.delete(stories[0]) }
    }
    #expect(try base == [1: Self.first])
  }

  @Test(arguments: [false, true]) func `deleting a member changes its owners`(isBulk: Bool) throws {
    try persist { _, tags, _, objects in
      if isBulk { try objects.delete(Tagging.Tag.self) { $0.name == "" } } else { objects.delete(tags[0]) }
    }
    #expect(try base == [1: Self.first])
    #expect(try tracked.file.ties.first?.contains("Story 1") == true)
  }

  @Test func `what another program writes is recorded`() throws {
    let program = try PlainSQLite(tracked.folder.file)
    let join = "\"Story.tags+Tag.stories\""
    try program.run("INSERT OR IGNORE INTO \(join)(Story,Tag) VALUES(1,2)")
    #expect(try base.isEmpty)
    try program.run("DELETE FROM \(join) WHERE Story=1; INSERT INTO \(join)(Story,Tag) VALUES(2,3)")
    try program.run("UPDATE \(join) SET Story=1 WHERE Story=2")
    #expect(try base == [1: Self.first, 2: Self.second])
  }

  @Test func `remote rows are written without a record, and set members in their order`() throws {
    let found = try tracked.space.persist { objects in
      try objects.applyRemote { writer in
        try writer.setMembers("Story", id: 1, "steps", to: [2, 3])
        try writer.setMembers("Story", id: 1, "tags", to: [3])
        _ = try writer.delete("Tag", id: 3)
        return [try writer.members("Story", id: 1, "steps"), try writer.members("Story", id: 1, "tags")]
      }
    }
    #expect(found == [[2, 3], []])
    #expect(try base.isEmpty)
    #expect(try tracked.file.ties.isEmpty)
    try persist { stories, _, _, _ in
      #expect(stories[0].steps.map(\.id.rawValue) == [2, 3])
      #expect(stories[0].tags.isEmpty)
    }
  }

  @Test func `owners are tied by their members, unless the relationship is independent`() throws {
    try persist { stories, tags, steps, _ in
      stories[0].tags.remove(tags[0])
      stories[1].steps.insert(steps[0])
    }
    #expect(try tracked.file.ties == [["Story 1", "Story 2"]])
    try persist { stories, _, steps, _ in
      stories[0].steps = [steps[0], steps[2], steps[1]]
      stories[1].name = "changed"
    }
    #expect(try tracked.file.ties.count == 2)
    let other = try TrackedStore(Tagging.schema(independent: [\Tagging.Story.tags, \Tagging.Story.steps]))
    try other.space.persist { objects in
      let story = objects.insert(Tagging.Story.self)
      story.tags.insert(objects.insert(Tagging.Tag.self))
    }
    try other.file.clear("Story")
    try other.space.persist { objects in
      objects.insert(Tagging.Story.self).name = "tied"
      try objects.fetch(Tagging.Tag.self)[0].name = "tied"
      try objects.fetch(Tagging.Story.self)[0].tags = []
    }
    #expect(try other.file.ties == [["Story 2", "Tag 1"]])
  }

  @Test func `a list that begins to be tracked has no base, and one that is no longer tracked leaves no trigger`()
    throws
  {
    try persist { stories, tags, _, _ in stories[1].tags.insert(tags[0]) }
    let less = Tagging.untracked.tracking([TrackedClass(Tagging.Story.self, lists: [\Tagging.Story.tags])])
    let space = try ObjectSpace(Store(.file(tracked.folder.file), less, StoreConfiguration()).access)
    #expect(try base.mapValues(\.values) == [2: ["name": .text("second"), "tags": .null]])
    try space.persist { objects in
      try objects.fetch(Tagging.Story.self)[0].steps = []
      try objects.fetch(Tagging.Story.self)[0].tags = []
    }
    #expect(try base[1]?.values == ["name": .text("first"), "tags": .text("1,2")])
    _ = try Store(.file(tracked.folder.file), Tagging.schema(), StoreConfiguration())
    #expect(try base.mapValues(\.kind) == [1: 2, 2: 2])
    #expect(try tracked.file.connection.tracks(Tagging.schema()))
  }

  @Test func `the base follows renamed classes and relationships`() throws {
    try persist { stories, tags, steps, _ in
      stories[0].tags = [tags[2]]
      stories[0].steps = [steps[1]]
    }
    let space = try ObjectSpace(Store(.file(tracked.folder.file), Renamed.schema, StoreConfiguration()).access)
    #expect(try tracked.file.connection.tracks(Renamed.schema))
    let values: [String: StoredValue] = [
      "name": .text("first"), "labels": .text("1,2"), "steps": .text("3,1,2"), "others": .null,
    ]
    #expect(try tracked.file.base(of: "Tale") == [1: BaseRecord(kind: 0, values: values)])
    try space.persist { objects in
      try objects.fetch(Renamed.Tale.self)[1].labels.insert(try objects.fetch(Renamed.Label.self)[0])
      try objects.fetch(Renamed.Tale.self)[0].labels = []
    }
    #expect(try tracked.file.base(of: "Tale")[1] == BaseRecord(kind: 0, values: values))
    #expect(try tracked.file.base(of: "Tale")[2]?.values["labels"] == .null)
  }

  @Test func `only many-to-many relationships are lists`() {
    let schema = Tagging.untracked.tracking([TrackedClass(Tagging.Tag.self, lists: [\Tagging.Tag.name])])
    #expect(schema.problems.map(\.text).contains { $0.contains("is not a many-to-many relationship") })
  }
}
