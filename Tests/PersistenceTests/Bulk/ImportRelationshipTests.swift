import Foundation
import PersistenceTesting
import Testing

@testable import Persistence

/// Properties with the names of the columns that the SQL of an import uses for its own purposes.
private final class Post: ManagedObject {
  @Attribute(.unique) var key: Int64?
  @Attribute var owner = ""
  @Attribute var target = ""
  @ToOne var author: Poster?
  @ToOne var parent: Post?
  @ToMany(inverse: \Post.parent) var replies: RelatedObjects<Post>
  @ToMany var labels: RelatedObjects<PostLabel>
  @ToMany(ordered: true) var pictures: RelatedObjects<PostPicture>
  @ToMany(inverse: \PostComment.post, ordered: true) var comments: RelatedObjects<PostComment>
}

private final class Poster: ManagedObject {
  @Attribute(.unique) var key: UUID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  @Attribute var name = ""
  @ToMany(inverse: \Post.author, ordered: true) var posts: RelatedObjects<Post>
  @ToOne(inverse: \PosterBadge.poster) var badge: PosterBadge?
}

private final class PosterBadge: ManagedObject { @ToOne var poster: Poster? }

private final class PostLabel: ManagedObject {
  @Attribute(.unique) var key = ""
  @ToMany(inverse: \Post.labels) var posts: RelatedObjects<Post>
}

private final class PostPicture: ManagedObject {
  @Attribute(.unique) var key: Int64 = 0
  @ToMany(inverse: \Post.pictures, ordered: true) var posts: RelatedObjects<Post>
}

private final class PostComment: ManagedObject {
  @Attribute(.unique) var key: Int64 = 0
  @ToOne var post: Post?
}

private struct PostEntry: Sendable {
  var key: Int64?
  var author: Int?
  var parent: Int64?
  var labels: [String] = []
  var pictures: [Int64] = []
  var comments: [Int64] = []
}

/// Imports that find the objects of relationships by unique attributes.
@Suite struct ImportRelationshipTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private static func uuid(_ number: Int) -> UUID {
    UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number)))
  }

  private typealias Field = ImportField<Post, PostEntry>
  private static var key: Field { .set(\.key) { $0.key } }
  private static var author: Field { .set(\.author, matching: \.key) { $0.author.map(uuid) } }
  private static var parent: Field { .set(\.parent, matching: \.key) { $0.parent } }
  private static var labels: Field { .set(\.labels, matching: \.key) { $0.labels } }
  private static var pictures: Field { .set(\.pictures, matching: \.key) { $0.pictures } }
  private static var comments: Field { .set(\.comments, matching: \.key) { $0.comments } }
  private static var all: [Field] { [key, author, parent, labels, pictures, comments] }

  private func open(_ inMemory: Bool = true) async throws -> PersistentContainer {
    let schema = Schema(Post.self, Poster.self, PosterBadge.self, PostLabel.self, PostPicture.self, PostComment.self)
    let container = try await PersistentContainer(at: inMemory ? .inMemory : .file(store.file), schema: schema)
    try await container.newContext().persist { objects in
      for number in 0..<5 {
        let poster = objects.insert(Poster.self)
        (poster.key, poster.name) = (Self.uuid(number), "poster \(number)")
        objects.insert(PostLabel.self).key = "label \(number)"
        objects.insert(PostPicture.self).key = Int64(number)
        objects.insert(PostComment.self).key = Int64(number)
      }
    }
    return container
  }

  @discardableResult
  private func load(_ entries: [PostEntry], _ objects: ObjectSpace, _ fields: [Field] = all) throws -> ImportReport {
    try objects.import(entries, into: Post.self, matching: \.key, fields)
  }

  /// Every post and its relationships.
  private func seen(_ objects: ObjectSpace) throws -> [String] {
    try objects.fetch(Post.self, sort: [.ascending(\.key)]).map { post in
      let lists = [
        post.labels.map(\.key).joined(separator: ","), post.pictures.map { "\($0.key)" }.joined(separator: ","),
        post.comments.map { "\($0.key)" }.joined(separator: ","),
        post.replies.map { "\($0.key ?? -1)" }.joined(separator: ","),
      ]
      return
        "\(post.key ?? -1) \(post.author?.name ?? "-") \(post.parent?.key ?? -1) [\(lists.joined(separator: "; "))]"
    }
  }

  @Test(arguments: [true, false])
  func `relationships are set to the objects with the values, and replaced by the next import`(_ inMemory: Bool)
    async throws
  {
    let container = try await open(inMemory)
    let report = try await container.newContext().persist { objects in
      let report = try load(
        [
          PostEntry(
            key: 1, author: 3, parent: 2, labels: ["label 2", "label 0"], pictures: [3, 1, 3, 0], comments: [4, 2]),
          PostEntry(key: 2, author: 3, labels: [], comments: [1]), PostEntry(key: 3, parent: 1),
          PostEntry(key: nil, author: 0),
        ], objects)
      #expect(try objects.first(Post.self, where: { $0.key == 1 })?.parent?.key == 2)
      return report
    }
    #expect(report == ImportReport(rows: 4, inserted: 4, unknown: 0))
    #expect(
      try await container.newContext().perform { try seen($0) } == [
        "-1 poster 0 -1 [; ; ; ]", "1 poster 3 2 [label 0,label 2; 3,1,0; 4,2; 3]", "2 poster 3 -1 [; ; 1; 1]",
        "3 - 1 [; ; ; ]",
      ])
    try await container.newContext().persist { objects in
      _ = try load(
        [
          PostEntry(key: 1, parent: 1, labels: ["label 2", "label 1"], pictures: [0, 4, 3], comments: [2, 4, 1]),
          PostEntry(key: 2, author: 1, parent: 4, comments: [0]), PostEntry(key: 4, author: 2),
        ], objects)
    }
    #expect(
      try await container.newContext().perform { try seen($0) } == [
        "-1 poster 0 -1 [; ; ; ]", "1 - 1 [label 1,label 2; 0,4,3; 2,4,1; 1,3]", "2 poster 1 4 [; ; 0; ]",
        "3 - 1 [; ; ; ]", "4 poster 2 -1 [; ; ; 2]",
      ])
  }

  @Test func `of rows with the same key and of lists with the same object, the last one counts`() async throws {
    let container = try await open()
    try await container.newContext().persist { objects in
      // More than a statement has.
      let more = (10..<50).map { PostEntry(key: $0, comments: [3]) }
      try load(
        [
          PostEntry(key: 1, parent: 30, labels: ["label 1"], comments: [0, 1]),
          PostEntry(key: 2, parent: 31, comments: [1]),
          PostEntry(key: 1, labels: ["label 2"], comments: [0, 2]), PostEntry(key: 2, parent: 1),
        ] + more + [PostEntry(key: 2, parent: 49)], objects)
    }
    let found = try await container.newContext().perform { try seen($0) }
    #expect(found.prefix(2) == ["1 - -1 [label 2; ; 0,2; ]", "2 - 49 [; ; ; ]"] && found.last == "49 - -1 [; ; 3; 2]")
  }

  @Test func `a value without an object fails the import, or is left out and counted`() async throws {
    let container = try await open()
    let context = container.newContext()
    try await context.persist { _ = try load([PostEntry(key: 1, author: 2, labels: ["label 1"])], $0) }
    for (field, entry) in [
      ("author", PostEntry(key: 1, author: 77)), ("parent", PostEntry(key: 1, parent: 77)),
      ("labels", PostEntry(key: 1, labels: ["label 0", "no label"])),
    ] {
      await #expect {
        try await context.persist { objects in
          // The error fails the unit even if it is caught.
          _ = try? load((100..<120).map { PostEntry(key: $0) } + [entry], objects)
        }
      } throws: { error in
        guard case .invalidValue(let value) = error as? PersistenceError else { return false }
        return value.type == "Post" && value.attribute == field && value.id == 20 && !"\(value)".contains("77")
          && value.reason.hasPrefix("there is no ") && value.reason.hasSuffix(" with this value of key")
      }
    }
    #expect(try await context.perform { try seen($0) } == ["1 poster 2 -1 [label 1; ; ; ]"])
    let report = try await context.persist { objects in
      try load(
        [
          PostEntry(key: 1, author: 77, parent: 2, labels: ["label 0", "no label", "none"]),
          PostEntry(key: 2, author: 4),
        ],
        objects,
        [
          Self.key, .set(\.author, matching: \.key, ignoringUnknown: true) { $0.author.map(Self.uuid) }, Self.parent,
          .set(\.labels, matching: \.key, ignoringUnknown: true) { $0.labels },
        ])
    }
    #expect(report == ImportReport(rows: 2, inserted: 1, unknown: 3))
    #expect(try await context.perform { try seen($0) } == ["1 - 2 [label 0; ; ; ]", "2 poster 4 -1 [; ; ; 1]"])
  }

  @Test @MainActor func `objects in memory follow an import, and a failing closure restores them`() async throws {
    let container = try await open(false)
    let view = container.viewContext
    try view.persist { _ = try load([PostEntry(key: 1, author: 1, labels: ["label 1"], comments: [3, 0])], $0) }
    let post = try #require(try view.first(Post.self))
    let (posters, comments) = try (view.fetch(Poster.self), view.fetch(PostComment.self))
    let label = try #require(try view.first(PostLabel.self, where: { $0.key == "label 4" }))
    func state() -> String {
      "\(post.author?.name ?? "-") \(post.parent?.key ?? 0) \(post.labels.map(\.key)) \(post.comments.map(\.key)) "
        + "\(posters.map(\.posts.count)) \(comments.map { $0.post?.key ?? 0 }) \(label.posts.count) \(post.replies.count)"
    }
    let before = "poster 1 0 [\"label 1\"] [3, 0] [0, 1, 0, 0, 0] [1, 0, 0, 1, 0] 0 0"
    let after = "poster 2 2 [\"label 4\"] [3, 1] [0, 0, 1, 1, 0] [0, 1, 2, 1, 0] 2 1"
    let entries = [
      PostEntry(key: 1, author: 2, parent: 2, labels: ["label 4"], comments: [3, 1]),
      PostEntry(key: 2, author: 3, parent: 1, labels: ["label 4"], comments: [2]),
    ]
    #expect(state() == before)
    for isFailing in [true, false] {
      do {
        try view.persist { objects in
          // Pending changes of both sides.
          (post.author, comments[4].post) = (posters[0], post)
          label.posts.insert(post)
          try load(entries, objects)
          #expect(state() == after)
          if isFailing { throw Stop() }
        }
      } catch {
        #expect(isFailing && state() == before)
      }
    }
    #expect(state() == after)
    // And they can be changed and saved.
    post.author = posters[4]
    post.comments = [comments[0]]
    try view.save()
    #expect(try await container.newContext().perform { try $0.first(Post.self)?.comments.map(\.key) } == [0])
  }

  @Test func `other contexts hear of imported relationships, and the history has them`() async throws {
    let schema = Schema(Post.self, Poster.self, PosterBadge.self, PostLabel.self, PostPicture.self, PostComment.self)
    let container = try await PersistentContainer(at: .file(store.file), schema: schema) { $0.history = .kept() }
    let context = container.newContext()
    try await context.persist { objects in
      objects.insert(PostLabel.self).key = "label"
      objects.insert(PostComment.self).key = 1
      (objects.insert(Poster.self).key, objects.insert(Post.self).key) = (Self.uuid(1), 1)
    }
    let token = try await context.perform { try $0.historyToken() }
    let view = container.viewContext
    let (post, label) = try await MainActor.run {
      let post = try #require(try view.first(Post.self))
      #expect(post.labels.map(\.key) == [] && post.comments.map(\.key) == [] && post.author == nil)
      return (post.id, try #require(try view.first(PostLabel.self)).id)
    }
    try await context.persist { _ = try load([PostEntry(key: 1, author: 1, labels: ["label"], comments: [1])], $0) }
    await container.settle()
    try await MainActor.run {
      let (post, label) = (try view.object(post), try view.object(label))
      #expect(post.author?.key == Self.uuid(1) && post.labels.map(\.key) == ["label"] && label.posts.count == 1)
      #expect(post.comments.map(\.key) == [1])
    }
    guard case .changes(let sets, _) = try await context.perform({ try $0.changes(since: token) }) else {
      Issue.record("no changes")
      return
    }
    let changes = try #require(sets.first)
    #expect(changes.changes(of: Post.self).map(\.kind) == [.updated])
    #expect(changes.changes(of: PostComment.self).map(\.kind) == [.updated])
    #expect(changes.links.count == 1)
  }

  @Test func `fields that an import cannot set are refused`() async throws {
    let context = try await open().newContext()
    let fields: [(String, @Sendable () -> [Field])] = [
      ("Poster.name", { [Self.key, .set(\.author, matching: \.name) { _ in "" }] }),
      ("Post.author", { [Self.key, Self.author, .set(\.author, id: { _ in nil })] }),
      ("Post.labels", { [Self.key, Self.labels, Self.labels] }),
    ]
    for (what, fields) in fields {
      await #expect {
        try await context.persist { _ = try load([PostEntry(key: 1)], $0, fields()) }
      } throws: { error in
        guard case .unsupportedQuery(let refusal) = error as? PersistenceError else { return false }
        return "\(refusal)".contains(what)
      }
    }
    await #expect {
      try await context.persist { objects in
        let badge: [ImportField<Poster, Int>] = [.set(\.key) { _ in UUID() }, .set(\.badge, id: { _ in nil })]
        _ = try objects.import([1], into: Poster.self, matching: \.key, badge)
      }
    } throws: { error in
      guard case .unsupportedQuery(let refusal) = error as? PersistenceError else { return false }
      return "\(refusal)".contains("Poster.badge")
    }
  }

  @Test func `objects that fields insert are found, and imports within an import keep their own values`() async throws {
    let context = try await open().newContext()
    try await context.persist { objects in
      typealias Field = ImportField<Post, Int>
      let key: Field = .set(\.key) { Int64($0 + 1000) }
      let parent: Field = .set(\.parent, matching: \.key) { $0 < 8 ? nil : Int64($0 + 1000 - 8) }
      let label: Field = .set(\.labels, matching: \.key) { _ in ["label 3"] }
      let author: Field = .set(\.author, matching: \.key) { number in
        let inner = number % 8 == 0 ? [key, parent, label] : [key]
        if number % 8 == 0 { objects.insert(Poster.self).key = Self.uuid(100 + number) }
        _ = try? objects.import([number], into: Post.self, matching: \.key, inner)
        return Self.uuid(number % 8 == 0 ? 100 + number : 1)
      }
      let outer: [Field] = [
        .set(\.key) { Int64($0) }, .set(\.parent, matching: \.key) { Int64($0 + 1000) }, author,
      ]
      try objects.import(0..<40, into: Post.self, matching: \.key, outer)
    }
    try await context.perform { objects in
      for number in 0..<40 {
        let post = try #require(try objects.first(Post.self, where: { $0.key == Int64(number) }))
        #expect(post.parent?.key == Int64(number + 1000))
        #expect(post.author?.key == Self.uuid(number % 8 == 0 ? 100 + number : 1))
        #expect(post.parent?.parent?.key == (number % 8 == 0 && number >= 8 ? Int64(number + 1000 - 8) : nil))
        #expect(post.parent?.labels.count == (number % 8 == 0 ? 1 : 0))
      }
    }
  }

  @Test func `a member that stays with its owner keeps its position`() async throws {
    let context = try await open().newContext()
    let found = try await context.persist { objects in
      let poster = try #require(try objects.first(Poster.self, where: { $0.name == "poster 1" }))
      poster.posts = RelatedObjects(
        [Int64(5), 3, 4].map { number in
          let post = objects.insert(Post.self)
          post.key = number
          return post
        })
      try load([PostEntry(key: 3, author: 1), PostEntry(key: 5, author: 1), PostEntry(key: 6, author: 1)], objects)
      return poster.posts.map(\.key)
    }
    #expect(found == [5, 3, 4, 6])
  }
}
