import Foundation
import Persistence
import Testing

@Suite struct ViewFetchTests {
  @MainActor @Test func `the main actor's context is asked like the others`() async throws {
    let container = try await PersistentContainer.shows()
    try await container.newContext().persist { $0.insertThreeShows() }
    let view = container.viewContext
    #expect(try view.fetch(Show.self, sort: [.descending(\.key)]).map(\.key) == ["c", "b", "a"])
    #expect(try view.fetch(Show.self, where: \.year > 1990).map(\.key) == ["b", "c"])
    #expect(try view.fetch(Show.self, where: #Predicate { $0.seen }, limit: 1).map(\.key) == ["a"])
    let request = FetchRequest(Show.self, where: \.year > 1990, sort: [.descending(\.year)])
    #expect(try view.fetch(request).map(\.key) == ["c", "b"])
    #expect(try view.count(request) == 2)
    var years: [Int] = []
    var stream = FetchRequest(Show.self)
    stream.batchSize = 2
    try view.objects.forEach(stream) { years.append($0.year) }
    #expect(years == [1990, 2000, 2010])
  }
}
