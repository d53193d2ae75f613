import Dispatch
import Observation
import Persistence
import PersistenceTesting
import Testing

@testable import PersistenceUI

final class Story: ManagedObject, Identifiable {
  @Attribute var title = ""
  @Attribute var author = ""
  @Attribute var isRead = false
}

final class Author: ManagedObject {
  @Attribute var name = ""
}

/// What a view shows without SwiftUI: the lists and values under the property wrappers.
@MainActor @Suite(.timeLimit(.minutes(2))) struct FetchedListTests {
  let container: PersistentContainer
  let view: ViewContext
  let list = FetchedList<Story>()

  init() throws {
    container = try PersistentContainer(inMemory: Schema(Story.self))
    view = container.viewContext
  }

  private func insert(_ titles: String...) throws {
    try view.persist { objects in for title in titles { objects.insert(Story.self).title = title } }
  }

  private var byTitle: FetchDescriptor<Story> { FetchDescriptor(Story.self, sort: [.ascending(\.title)]) }

  /// Returns once a change of what the closure reads was announced.
  private func change(of read: @escaping () -> Void, when act: () async throws -> Void) async rethrows {
    let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
    withObservationTracking(read) { continuation.yield() }
    try await act()
    for await _ in signals { return }
  }

  @Test func `the objects are there as soon as a request is shown`() throws {
    try insert("b", "a")
    list.show(byTitle, in: view)
    #expect(list.objects.map(\.title) == ["a", "b"])
    #expect(Array(list.objects.ids) == list.objects.map(\.id))
    #expect(list.failure == nil)
  }

  @Test func `a commit of another context changes the list and announces it, in an animation`() async throws {
    var animations = 0
    list.animate = { change in
      animations += 1
      change()
    }
    list.show(byTitle, in: view)
    try await change(of: { _ = list.objects.count }) {
      try await container.newContext().persist { $0.insert(Story.self).title = "a" }
    }
    #expect(list.objects.map(\.title) == ["a"] && animations == 2)
  }

  @Test func `the same request in a new view does not read again, and another one does`() throws {
    var reads = 0
    list.animate = { change in
      reads += 1
      change()
    }
    try insert("a", "b", "ab")
    func search(_ text: String) -> FetchDescriptor<Story> {
      FetchDescriptor(where: { $0.title.contains(text) }, sort: [.ascending(\.title)])
    }
    for _ in 0..<3 { list.show(search("a"), in: view) }
    #expect(list.objects.map(\.title) == ["a", "ab"] && reads == 1)
    list.show(search("b"), in: view)
    #expect(list.objects.map(\.title) == ["ab", "b"] && reads == 2)
  }

  @Test func `a replaced request stays until the view declares another one`() throws {
    try insert("a", "b", "c")
    list.show(byTitle, in: view)
    list.request?.limit = 2
    #expect(list.objects.map(\.title) == ["a", "b"])
    list.show(byTitle, in: view)
    #expect(list.objects.map(\.title) == ["a", "b"] && list.request?.limit == 2)
    var fewer = byTitle
    fewer.limit = 1
    list.show(fewer, in: view)
    #expect(list.objects.map(\.title) == ["a"])
  }

  @Test func `what cannot be read keeps the objects and has an error, until reading succeeds`() throws {
    try insert("a")
    list.show(byTitle, in: view)
    let other = try PersistentContainer(inMemory: Schema(Author.self))
    list.show(byTitle, in: other.viewContext)
    #expect(list.objects.map(\.title) == ["a"])
    guard case .notInSchema = list.failure else {
      Issue.record("\(String(describing: list.failure))")
      return
    }
    list.show(byTitle, in: view)
    #expect(list.objects.map(\.title) == ["a"] && list.failure == nil)
  }

  @Test func `an object whose deletion is pending is shown until that is saved, and one that is gone is empty`() throws
  {
    try insert("a", "b")
    list.show(byTitle, in: view)
    let first = list.objects[0]
    view.delete(first)
    #expect(list.objects.map(\.title) == ["a", "b"])
    #expect(list.objects[0] === first)
    try view.save()
    // In the same turn: a row of a deleted object would be empty.
    #expect(list.objects.map(\.title) == ["b"])
    let shown = FetchedObjects<Story>()
    #expect(shown.isEmpty && shown.sections.isEmpty)
  }

  @Test func `a list that could not be read has an error, and is read when the store is there again`() async throws {
    try insert("a")
    await container.suspend()
    list.show(byTitle, in: view)
    #expect(list.objects.isEmpty && list.failure != nil)
    await change(of: { _ = list.objects.count }) { await container.resume() }
    #expect(list.objects.map(\.title) == ["a"] && list.failure == nil)
  }

  @Test func `a view that reads the error too is drawn once, within the animation`() throws {
    list.show(byTitle, in: view)
    var isAnimating = false
    list.animate = { change in
      isAnimating = true
      change()
      isAnimating = false
    }
    var drawn: [Bool] = []
    withObservationTracking {
      _ = (list.objects.count, list.failure)
    } onChange: {
      MainActor.assumeIsolated { drawn.append(isAnimating) }
    }
    try insert("a")
    #expect(drawn == [true])
  }

  @Test func `rows that were read while the store was suspended are read again`() async throws {
    try await container.newContext().persist { $0.insert(Story.self).title = "a" }
    list.show(byTitle, in: view)
    await container.suspend()
    #expect(list.objects[0].title.isEmpty && list.objects[0].id.rawValue == 0)
    await container.resume()
    #expect(list.objects[0].title == "a")
  }

  @Test func `after a reset the rows have objects of the context again`() throws {
    try insert("a")
    list.show(byTitle, in: view)
    let before = list.objects[0]
    view.reset()
    #expect(before.isDeleted && !list.objects[0].isDeleted)
    list.objects[0].title = "b"
    try view.save()
    #expect(list.objects.map(\.title) == ["b"])
  }

  @Test func `an undo changes the list in the same turn`() throws {
    view.setUndoLimit(5)
    try insert("a")
    list.show(byTitle, in: view)
    try insert("b")
    #expect(try list.objects.count == 2 && view.undo())
    #expect(list.objects.map(\.title) == ["a"])
    #expect(try view.redo() && list.objects.map(\.title) == ["a", "b"])
  }

  @Test func `commits of others are not taken on in the middle of a closure`() async throws {
    try insert("a")
    list.show(byTitle, in: view)
    let story = list.objects[0]
    let id = story.id
    let context = container.newContext()
    let committed = DispatchSemaphore(value: 0)
    try view.perform { _ in
      Task.detached {
        try await context.persist { try $0.object(id).title = "b" }
        committed.signal()
      }
      committed.wait()
      // Neither a save that is refused here nor a new list changes what the closure reads.
      #expect(throws: PersistenceError.self) { try view.save() }
      list.request?.limit = 5
      #expect(story.title == "a")
    }
    try view.save()
    #expect(story.title == "b")
  }

  @Test func `thousands of rows need a query for 256 of them, and their ids none`() throws {
    try view.persist { objects in for number in 0..<1000 { objects.insert(Story.self).title = "\(number)" } }
    view.reset()
    list.show(byTitle, in: view)
    try view.objects.expectQueries(atMost: 0) { #expect(list.objects.ids.count == 1000) }
    try view.objects.expectQueries(atMost: 4) { #expect(Set(list.objects.map(\.title)).count == 1000) }
  }

  @Test func `sections have the key and the objects of each value`() throws {
    try view.persist { objects in
      for (title, author) in [("a", "x"), ("b", "y"), ("c", "x")] {
        let story = objects.insert(Story.self)
        (story.title, story.author) = (title, author)
      }
    }
    list.show(byTitle, in: view) { $0.sectioned(by: \.author) }
    #expect(list.objects.sections.map { $0.key(as: String.self) } == ["x", "y"])
    #expect(list.objects.sections.map { $0.map(\.title) } == [["a", "c"], ["b"]])
    #expect(list.objects.sections.map(\.id) == ["x", "y"].map { StoredValue.text($0) })
    list.show(byTitle, in: view) { $0.sectioned(by: \.title) }
    #expect(list.objects.sections.map { $0.key(as: String.self) } == ["a", "b", "c"])
    list.show(byTitle, in: view)
    #expect(list.objects.sections.count == 1)
  }

  @Test func `the list follows another container when the environment has another`() throws {
    try insert("a")
    list.show(byTitle, in: view)
    let other = try PersistentContainer(inMemory: Schema(Story.self))
    list.show(byTitle, in: other.viewContext)
    #expect(list.objects.isEmpty)
  }

  @Test func `a class that is Identifiable is identified by its id`() throws {
    try insert("a")
    list.show(byTitle, in: view)
    func identity<Element: Identifiable>(_ element: Element) -> Element.ID { element.id }
    let id: Story.ID = list.objects[0].id
    #expect(identity(list.objects[0]) == id)
    #expect(try view.object(id) === list.objects[0])
  }

  @Test func `a value is there at once, follows commits, and is announced only when it differs`() async throws {
    try insert("a")
    let count = FollowedValue(0) { try $0.count(Story.self) }
    count.follow(in: container)
    #expect(count.value == 1)
    try await change(of: { _ = count.value }) {
      try await container.newContext().persist { $0.insert(Story.self).title = "b" }
    }
    #expect(count.value == 2)
    try await change(of: { _ = count.value }) {
      let context = container.newContext()
      try await context.persist { try $0.first(Story.self)?.title = "c" }
      try await context.persist { $0.insert(Story.self).title = "d" }
    }
    #expect(count.value == 3 && count.failure == nil)
  }

  @Test func `a value that cannot be read stays, and is read again after a commit`() async throws {
    struct Unread: Error {}
    try insert("a")
    let count = FollowedValue(0) { objects in
      let count = try objects.count(Story.self)
      if count == 2 { throw Unread() }
      return count
    }
    count.follow(in: container)
    try await change(of: { _ = count.failure }) {
      try await container.newContext().persist { $0.insert(Story.self).title = "b" }
    }
    #expect(count.value == 1 && count.failure != nil)
    try await change(of: { _ = count.value }) {
      try await container.newContext().persist { $0.insert(Story.self).title = "c" }
    }
    #expect(count.value == 3 && count.failure == nil)
  }
}
