import Foundation
import LarderTestSupport
import Observation
import Persistence
import Testing

@MainActor @Suite(.timeLimit(.minutes(10))) struct FetchedResultsControllerTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// Records the calls that it receives, and continues at the end of each change.
  private final class Recorder: FetchedResultsControllerDelegate {
    var events: [String] = []
    var countsBefore: [Int] = []
    var titles: [[String?]] = []
    private let ends = AsyncStream<Void>.makeStream()
    private var iterator: AsyncStream<Void>.Iterator

    init() { iterator = ends.stream.makeAsyncIterator() }

    func change() async {
      var iterator = iterator
      _ = await iterator.next(isolation: #isolation)
      self.iterator = iterator
    }

    func resultsWillChange(_ results: FetchedResultsController<Film>) { countsBefore.append(results.snapshot.count) }

    func results(
      _ results: FetchedResultsController<Film>, didChangeSectionAt index: Int, by change: FetchedResultsChange
    ) {
      events.append("section \(index) \(change)")
    }

    func results(
      _ results: FetchedResultsController<Film>, didChange id: ObjectID<Film>, at indexPath: ResultsIndexPath?,
      by change: FetchedResultsChange, newIndexPath: ResultsIndexPath?
    ) {
      events.append(
        "\(change) \(id.rawValue): \(indexPath.map { "\($0)" } ?? "-") > \(newIndexPath.map { "\($0)" } ?? "-")")
    }

    func resultsDidChange(_ results: FetchedResultsController<Film>) {
      titles.append(results.snapshot.indices.map { try? results.object(at: $0)?.title })
      ends.continuation.yield()
    }
  }

  @Test func `a delegate receives every change in order and reads the objects of that moment`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let context = container.newContext()
    let request = FetchDescriptor(Film.self, sort: [.ascending(\.title)])
    let films = try await container.viewContext.results(request, sectionedBy: \.year)
    let recorder = Recorder()
    films.delegates.add(recorder)
    try await context.persist { objects in
      for title in ["a", "b"] { objects.insert(Film.self).title = title }
    }
    await recorder.change()
    #expect(recorder.events == ["section 0 inserted", "inserted 1: - > 0.0", "inserted 2: - > 0.1"])
    #expect(recorder.countsBefore == [0] && films.snapshot.count == 2)
    recorder.events = []
    try await context.persist { objects in
      let films = try objects.fetch(Film.self)
      films[0].title = "c"
      films[1].year = 5
    }
    await recorder.change()
    #expect(recorder.events == ["section 1 inserted", "moved 2: 0.1 > 1.0", "updated 1: 0.0 > 0.0"])
    recorder.events = []
    try await context.persist { objects in
      for film in try objects.fetch(Film.self) { objects.delete(film) }
    }
    await recorder.change()
    #expect(
      recorder.events == [
        "section 0 deleted", "section 1 deleted", "deleted 1: 0.0 > -", "deleted 2: 1.0 > -",
      ])
    #expect(recorder.titles == [["a", "b"], ["c", "b"], []])
  }

  @Test func `held objects have the values of the commit that the delegate receives`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let context = container.newContext()
    let id = try await context.persist { $0.insert(Film.self).id }
    let films = try await container.viewContext.results(FetchDescriptor(Film.self, sort: [.ascending(\.year)]))
    let held = try #require(try films.object(at: 0))
    let recorder = YearRecorder(held)
    films.delegates.add(recorder)
    for year in 1...50 { try await context.persist { try $0.object(id).year = year } }
    while recorder.years.last != 50 { await recorder.change() }
    #expect(recorder.years == Array(1...50))
  }

  /// Records the film's year after each change.
  private final class YearRecorder: FetchedResultsControllerDelegate {
    let film: Film
    var years: [Int] = []
    private let ends = AsyncStream<Void>.makeStream()

    init(_ film: Film) { self.film = film }

    func change() async {
      var iterator = ends.stream.makeAsyncIterator()
      _ = await iterator.next(isolation: #isolation)
    }

    func resultsDidChange(_ results: FetchedResultsController<Film>) {
      years.append(film.year)
      ends.continuation.yield()
    }
  }

  @Test func `a results controller notifies observers when its snapshot changes`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let films = try await container.viewContext.results(FetchDescriptor(Film.self))
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
    let count = withObservationTracking {
      films.snapshot.count
    } onChange: {
      continuation.yield()
    }
    #expect(count == 0)
    try container.viewContext.persist { _ = $0.insert(Film.self) }
    for await _ in changes { break }
    // Observers are notified before the change, as with `@Observable`; the change follows on the main actor.
    #expect(await eventually { !films.snapshot.isEmpty })
    #expect(films.snapshot.count == 1)
  }

  @Test func `a released results controller does not call its delegates`() async throws {
    let container = try await store.open(Film.self, Director.self)
    var films: FetchedResultsController<Film>? = try await container.viewContext.results(FetchDescriptor(Film.self))
    weak let weakFilms = films
    let recorder = Recorder()
    films?.delegates.add(recorder)
    try container.viewContext.persist { _ = $0.insert(Film.self) }
    films = nil
    #expect(weakFilms == nil)
    // Calls that were on their way have arrived before this one from the same queue.
    let others = try await container.viewContext.results(FetchDescriptor(Film.self))
    let other = Recorder()
    others.delegates.add(other)
    try container.viewContext.persist { _ = $0.insert(Film.self) }
    await other.change()
    #expect(recorder.countsBefore.isEmpty && recorder.events.isEmpty && other.countsBefore == [1])
  }
}
