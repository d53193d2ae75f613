import LarderTestSupport
import Persistence
import Testing

/// What code on the main actor sees of the commits of other contexts.
@MainActor @Suite(.timeLimit(.minutes(10))) struct ViewFreshnessTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  @Test func `a call that commits returns to the main actor after its objects have the new values`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let context = container.newContext()
    await context.setUndoLimit(10)
    let id = try await context.persist { $0.insert(Film.self).id }
    let film = try container.viewContext.object(id)
    for year in 1...200 {
      try await context.persist { try $0.object(id).year = year }
      #expect(film.year == year)
    }
    #expect(try await context.undo() && film.year == 199)
    #expect(try await context.redo() && film.year == 200)
    await withCheckedContinuation { continuation in
      context.persist({ try $0.object(id).year = 201 }) { @MainActor _ in
        #expect(film.year == 201)
        continuation.resume()
      }
    }
  }

  @Test func `an edit of the view stays pending while its object's other attributes are committed`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let context = container.newContext()
    let id = try await context.persist { $0.insert(Film.self).id }
    let film = try container.viewContext.object(id)
    container.viewContext.setMergePolicy(.mine)
    film.title = "mine"
    try await context.persist { try $0.object(id).year = 7 }
    #expect(film.year == 0 && film.title == "mine")
    try container.viewContext.save()
    #expect(film.year == 7 && film.title == "mine")
  }

  @Test func `a snapshot is in the order of the objects at every moment on the main actor`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let context = container.newContext()
    try await context.persist { objects in
      for year in 0..<20 { objects.insert(Film.self).year = year }
    }
    let films = try await container.viewContext.results(FetchDescriptor(Film.self, sort: [.ascending(\.year)]))
    let held = try films.snapshot.indices.compactMap { try films.object(at: $0) }
    let writer = Task.detached {
      for round in 1...300 {
        try await context.persist { objects in
          for film in try objects.fetch(Film.self) { film.year = (film.year &* 7 &+ round) % 1009 }
        }
      }
    }
    var moments = 0
    var last = 0
    var hasEnded = false
    Task {
      _ = await writer.result
      hasEnded = true
    }
    while !hasEnded {
      let years = try films.snapshot.indices.compactMap { try films.object(at: $0)?.year }
      #expect(years == years.sorted())
      if years.last != last { moments += 1 }
      last = years.last ?? 0
      await Task.yield()
    }
    try await writer.value
    #expect(held.count == 20 && moments > 1)
  }

  @Test func `live results and commits tell the main actor after its objects have the values`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let context = container.newContext()
    let id = try await context.persist { $0.insert(Film.self).id }
    let film = try container.viewContext.object(id)
    let results = try await container.results(FetchDescriptor(Film.self, sort: [.ascending(\.year)]))
    var rows = results.updates.makeAsyncIterator()
    _ = await rows.next(isolation: #isolation)
    var commits = container.commits.makeAsyncIterator()
    for year in 1...100 {
      let write = Task.detached { try await context.persist { try $0.object(id).year = year } }
      _ = await rows.next(isolation: #isolation)
      #expect(film.year == year)
      _ = await commits.next(isolation: #isolation)
      #expect(film.year == year)
      try await write.value
    }
  }

  @Test func `calls from the main actor return while the container is suspended, resumed and closed`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let context = container.newContext()
    let id = try await context.persist { $0.insert(Film.self).id }
    let film = try container.viewContext.object(id)
    let films = try await container.viewContext.results(FetchDescriptor(Film.self))
    let calls = (0..<4).map { number in
      Task { @MainActor in
        for year in 1...100 {
          // Refused during the suspension and after the end.
          try? await context.persist { try $0.object(id).year = number * 1000 + year }
        }
      }
    }
    for _ in 0..<5 {
      await container.suspend(within: .seconds(1))
      await Task.yield()
      await container.resume()
      for _ in 0..<20 { await Task.yield() }
    }
    await container.close()
    for call in calls { await call.value }
    #expect(films.snapshot.count == 1 && film.isDeleted)
  }
}
