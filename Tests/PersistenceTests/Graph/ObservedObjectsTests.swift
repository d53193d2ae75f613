import LarderTestSupport
import Observation
import Testing

@testable import Persistence

/// What code that reads objects of a view context on the main actor is notified of.
@MainActor @Suite(.timeLimit(.minutes(5))) struct ObservedObjectsTests {
  let store: TemporaryStore
  let container: PersistentContainer
  let view: ViewContext

  init() async throws {
    store = try TemporaryStore()
    container = try await store.open(Film.self, Director.self, Movie.self, FamilyMember.self)
    view = container.viewContext
    view.observeObjects()
  }

  /// Counts how often what a closure has read was changed. Reads again after each change.
  @MainActor final class Reader {
    private(set) var notifications = 0
    private var isStale = true
    private let read: @MainActor () -> Void

    init(_ read: @escaping @MainActor () -> Void) {
      self.read = read
      track()
    }

    func track() {
      isStale = false
      withObservationTracking(read) { [weak self] in
        MainActor.assumeIsolated {
          self?.notifications += 1
          self?.isStale = true
        }
      }
    }

    /// The notifications since the last call.
    func take() -> Int {
      defer { notifications = 0 }
      if isStale { track() }
      return notifications
    }
  }

  @Test func `an assignment notifies those who read the attribute, once for each time they read it`() throws {
    let (film, other) = (view.insert(Film.self), view.insert(Film.self))
    let title = Reader { _ = film.title }
    let year = Reader { _ = film.year }
    let both = Reader { _ = (film.title, film.year) }
    let others = Reader { _ = other.title }
    (film.title, film.title) = ("a", "b")
    #expect([title.take(), year.take(), both.take(), others.take()] == [1, 0, 1, 0])
    try view.save()
    for value in ["b", "c", "c"] { film.title = value }
    #expect([title.take(), year.take(), both.take(), others.take()] == [1, 0, 1, 0])
    film.year = 1
    #expect([title.take(), year.take(), both.take(), others.take()] == [0, 1, 1, 0])
  }

  @Test func `a commit of another context notifies those who read what it changed`() async throws {
    let context = container.newContext()
    let ids = try await context.persist { objects in
      (objects.insert(Film.self).id, objects.insert(Film.self).id)
    }
    let (film, other) = (try view.object(ids.0), try view.object(ids.1))
    let title = Reader { _ = film.title }
    let year = Reader { _ = film.year }
    let others = Reader { _ = (other.title, other.year) }
    try await context.persist { try $0.object(ids.0).title = "Fargo" }
    #expect(film.title == "Fargo")
    #expect([title.take(), year.take(), others.take()] == [1, 0, 0])
    _ = try await context.persist { try $0.update(Film.self, set: [.set(\.year, to: 1996)]) }
    #expect([title.take(), year.take(), others.take()] == [0, 1, 1])
    try await context.persist { $0.delete(try $0.object(ids.0)) }
    #expect(film.isDeleted)
    #expect([title.take(), year.take(), others.take()] == [1, 1, 0])
  }

  @Test func `relationships notify the readers of both sides, whether members are in memory or not`() async throws {
    let context = container.newContext()
    let ids = try await context.persist { objects in
      let film = objects.insert(Film.self)
      film.director = objects.insert(Director.self)
      return (film.id, film.director?.id, objects.insert(Director.self).id)
    }
    let film = try view.object(ids.0)
    let (old, new) = (try view.object(#require(ids.1)), try view.object(ids.2))
    let director = Reader { _ = film.director }
    let count = Reader { _ = old.films.count }
    let members = Reader { for member in new.films { _ = member.title } }
    let name = Reader { _ = old.name }
    film.director = new
    #expect([director.take(), count.take(), members.take(), name.take()] == [1, 1, 1, 0])
    #expect(old.films.isEmpty && new.films.count == 1)
    view.rollback()
    #expect(old.films.count == 1)
    #expect([director.take(), count.take(), members.take(), name.take()] == [1, 1, 1, 0])
    try await context.persist { try $0.object(ids.0).director = nil }
    #expect(film.director == nil)
    #expect([director.take(), count.take(), members.take(), name.take()] == [1, 1, 0, 0])
    new.films.insert(film)
    #expect([director.take(), count.take(), members.take(), name.take()] == [1, 0, 1, 0])
    view.delete(film)
    #expect([director.take(), count.take(), members.take(), name.take()] == [1, 0, 1, 0])
  }

  @Test func `pairs notify the readers of both sides`() async throws {
    let context = container.newContext()
    let ids = try await context.persist { ($0.insert(Movie.self).id, $0.insert(FamilyMember.self).id) }
    let (movie, member) = (try view.object(ids.0), try view.object(ids.1))
    let members = Reader { _ = movie.familyMembers.count }
    let movies = Reader { for movie in member.movies { _ = movie.title } }
    movie.familyMembers.insert(member)
    #expect([members.take(), movies.take()] == [1, 1])
    try view.save()
    #expect([members.take(), movies.take()] == [0, 0])
    try await context.persist { try $0.object(ids.1).movies.remove($0.object(ids.0)) }
    #expect(movie.familyMembers.isEmpty && member.movies.isEmpty)
    #expect([members.take(), movies.take()] == [1, 1])
    movie.familyMembers.insert(member)
    _ = (members.take(), movies.take())
    view.delete(member)
    #expect(members.take() == 1)
  }

  @Test func `a rollback, an undo, a merge and a reset notify the readers of what they change`() async throws {
    view.setUndoLimit(5)
    view.setMergePolicy(.theirs)
    let film = view.insert(Film.self)
    try view.save()
    let title = Reader { _ = film.title }
    let year = Reader { _ = film.year }
    film.title = "a"
    _ = title.take()
    view.rollback()
    #expect([title.take(), year.take()] == [1, 0])
    film.title = "b"
    try view.save()
    _ = title.take()
    #expect(try view.undo() && film.title.isEmpty)
    #expect([title.take(), year.take()] == [1, 0])
    let id = film.id
    view.delete(film)
    try view.save()
    #expect([title.take(), year.take()] == [1, 1])
    #expect(try view.undo())
    let restored = try view.object(id)
    let restoredTitle = Reader { _ = restored.title }
    restored.title = "mine"
    #expect(restoredTitle.take() == 1)
    view.rollback()
    try await checkMergeAndReset(of: restored)
  }

  private func checkMergeAndReset(of film: Film) async throws {
    let context = container.newContext()
    let id = film.id
    let title = Reader { _ = film.title }
    let year = Reader { _ = film.year }
    film.title = "mine"
    _ = title.take()
    try await context.persist { objects in
      let film = try objects.object(id)
      (film.title, film.year) = ("theirs", 7)
    }
    try view.save()
    #expect(film.title == "theirs" && film.year == 7)
    #expect([title.take(), year.take()] == [1, 1])
    view.reset()
    #expect(film.isDeleted)
    #expect([title.take(), year.take()] == [1, 1])
  }

  @Test func `an observer may save and edit while it is notified, and no edit is lost`() throws {
    let film = view.insert(Film.self)
    try view.save()
    let id = film.id
    withObservationTracking {
      _ = (film.title, film.director)
    } onChange: { [view] in
      MainActor.assumeIsolated {
        try? view.object(id).year += 1
        try? view.save()
      }
    }
    film.title = "Fargo"
    try view.save()
    view.reset()
    let again = try #require(try view.first(Film.self))
    #expect(again.title == "Fargo" && again.year == 1)
  }

  @Test func `objects of other contexts, and objects that are not read, have no observers`() async throws {
    let context = container.newContext()
    let id = try await context.persist { objects in
      let film = objects.insert(Film.self)
      withObservationTracking {
        _ = film.title
      } onChange: {
        Issue.record("notified")
      }
      film.title = "Fargo"
      return film.id
    }
    let film = try view.object(id)
    #expect(film._state &>> ObjectState.observerShift == 0)
    _ = film.title
    #expect(film._state &>> ObjectState.observerShift != 0)
  }

  @Test func `the number of an object that is gone is used again, and notifies no reader of the old one`() async throws
  {
    let context = container.newContext()
    let ids = try await context.persist { ($0.insert(Film.self).id, $0.insert(Film.self).id) }
    var notified = 0
    let number: UInt32
    do {
      let film = try view.object(ids.0)
      withObservationTracking {
        _ = film.title
      } onChange: {
        MainActor.assumeIsolated { notified += 1 }
      }
      number = film._state &>> ObjectState.observerShift
    }
    try view.objects.observed?.release()
    let other = try view.object(ids.1)
    _ = other.title
    #expect(other._state &>> ObjectState.observerShift == number)
    other.title = "x"
    #expect(notified == 0)
  }

  @Test func `what nothing else retains is observed all the same`() async throws {
    let context = container.newContext()
    let ids = try await context.persist { objects in
      let film = objects.insert(Film.self)
      let director = objects.insert(Director.self)
      film.director = director
      return (film.id, director.id)
    }
    let film = try view.object(ids.0)
    let name = Reader { _ = film.director?.name }
    // Releases what only relationships have retained.
    for year in 0..<2 {
      try await context.persist { try $0.object(ids.0).year = year }
      _ = try view.fetch(Film.self)
    }
    try await context.persist { try $0.object(ids.1).name = "Joel" }
    #expect(name.take() == 1 && film.director?.name == "Joel")
  }

  @Test func `bulk changes and imports of the view itself notify readers of members and values`() throws {
    let director = view.insert(Director.self)
    let movie = view.insert(Movie.self)
    for _ in 0..<3 { view.insert(Film.self).director = director }
    movie.familyMembers.insert(view.insert(FamilyMember.self))
    try view.save()
    let films = Reader { _ = director.films.count }
    let members = Reader { _ = movie.familyMembers.count }
    _ = try view.persist { try $0.delete(Film.self, matching: .all) }
    #expect(films.take() == 1 && director.films.isEmpty)
    _ = members.take()
    _ = try view.persist { try $0.delete(FamilyMember.self, matching: .all) }
    #expect(members.take() == 1 && movie.familyMembers.isEmpty)
    let title = Reader { _ = movie.title }
    _ = try view.persist { try $0.update(Movie.self, set: [.set(\.title, to: "Fargo")]) }
    #expect(title.take() == 1 && movie.title == "Fargo")
  }

  @Test func `increments, found objects and relationships that were read before notify at once`() throws {
    let film = view.insert(Film.self)
    let director = view.insert(Director.self)
    director.name = "Joel"
    try view.save()
    let year = Reader { _ = film.year }
    try view.objects.increment(film, \.year)
    #expect(year.take() == 1 && film.year == 1)
    let films = director.films
    let count = Reader { _ = films.count }
    let members = Reader { for film in films { _ = film.title } }
    film.director = director
    #expect([count.take(), members.take()] == [1, 1])
  }

  @Test func `what an observer does to an object is refused or kept, never lost`() throws {
    let film = view.insert(Film.self)
    try view.save()
    let id = film.id
    withObservationTracking {
      _ = film.title
    } onChange: { [view] in
      MainActor.assumeIsolated { view.delete((try? view.object(id)) ?? Film()) }
    }
    film.title = "lost"
    #expect(throws: PersistenceError.self) { try view.save() }
    view.rollback()
    #expect(!film.isDeleted && film.title.isEmpty)
    withObservationTracking {
      _ = film.year
    } onChange: { [view] in
      MainActor.assumeIsolated { view.insert(Film.self).title = "inserted by an observer" }
    }
    view.reset()
    #expect(try view.count(Film.self) == 2 || view.hasChanges)
  }

  @Test func `an observer of a bulk change reads and saves when the save is over`() throws {
    let director = view.insert(Director.self)
    view.insert(Film.self).director = director
    try view.save()
    var count = -1
    withObservationTracking {
      _ = director.films.count
    } onChange: { [view] in
      MainActor.assumeIsolated {
        count = (try? view.count(Film.self)) ?? -2
        view.insert(Director.self).name = "new"
        try? view.save()
      }
    }
    _ = try view.persist { try $0.delete(Film.self, matching: .all) }
    #expect(try count == 0 && view.count(Director.self) == 2 && !view.hasChanges)
  }

  @Test func `what was empty during a suspension is read again after it`() async throws {
    let context = container.newContext()
    let ids = try await context.persist { objects in
      let film = objects.insert(Film.self)
      film.director = objects.insert(Director.self)
      return film.id
    }
    let film = try view.object(ids)
    await container.suspend()
    let director = Reader { _ = film.director }
    #expect(film.director == nil)
    await container.resume()
    #expect(director.take() == 1 && film.director != nil)
  }

  /// Readers of one to three random properties each. After each edit, those are notified whose properties have another
  /// value, and no others.
  @Test func `after random edits exactly those are notified who read what changed`() async throws {
    var random = SplitMix.printed()
    let context = container.newContext()
    let ids = try await context.persist { objects in
      (
        (0..<6).map { _ in objects.insert(Film.self).id }, (0..<3).map { _ in objects.insert(Director.self).id }
      )
    }
    let films = try ids.0.map { try view.object($0) }
    let directors = try ids.1.map { try view.object($0) }
    func property(_ number: Int) -> @MainActor () -> String {
      let (film, director) = (films[number % films.count], directors[number % directors.count])
      return switch number / 6 % 5 {
      case 0: { film.title }
      case 1: { "\(film.year)" }
      case 2: { film.director.map { "\($0.id)" } ?? "none" }
      case 3: { director.films.map { "\($0.id)" }.sorted().joined(separator: " ") }
      default: { director.name }
      }
    }
    let readers = (0..<40).map { _ in
      let read = (0..<Int.random(in: 1...3, using: &random)).map { _ in property(.random(in: 0..<30, using: &random)) }
      return (values: { read.map { $0() } }, reader: Reader { for value in read { _ = value() } })
    }
    for edit in 0..<1000 {
      let before = readers.map { $0.values() }
      let (film, director) = (Int.random(in: 0..<6, using: &random), Int.random(in: 0..<3, using: &random))
      let value = Int.random(in: 0..<3, using: &random)
      let kind = Int.random(in: 0..<5, using: &random)
      @Sendable nonisolated func change(_ film: Film, _ director: Director) {
        switch kind {
        case 0: film.title = "\(value)"
        case 1: film.year = value
        case 2: film.director = value == 0 ? nil : director
        case 3: if value == 0 { director.films.remove(film) } else { director.films.insert(film) }
        default: director.name = "\(value)"
        }
      }
      if Bool.random(using: &random) {
        change(films[film], directors[director])
        try view.save()
      } else {
        let (film, director) = (ids.0[film], ids.1[director])
        try await context.persist { change(try $0.object(film), try $0.object(director)) }
      }
      let after = readers.map { $0.values() }
      for (index, reader) in readers.enumerated() {
        let notified = reader.reader.take()
        #expect(notified == (before[index] == after[index] ? 0 : 1), "edit \(edit) of kind \(kind), reader \(index)")
      }
    }
  }
}
