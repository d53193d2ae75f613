import Foundation
import Persistence
import Testing

@Suite struct ViewFetchTests {
  @MainActor @Test func `the view context supports the same fetches as other contexts`() async throws {
    let container = try await PersistentContainer.shows()
    try await container.newContext().persist { $0.insertThreeShows() }
    let view = container.viewContext
    #expect(try view.fetch(Show.self, sort: [.descending(\.key)]).map(\.key) == ["c", "b", "a"])
    #expect(try view.fetch(Show.self, where: { $0.year > 1990 }).map(\.key) == ["b", "c"])
    #expect(try view.fetch(Show.self, matching: #Predicate { $0.seen }, limit: 1).map(\.key) == ["a"])
    let request = FetchDescriptor(Show.self, where: { $0.year > 1990 }, sort: [.descending(\.year)])
    #expect(try view.fetch(request).map(\.key) == ["c", "b"])
    #expect(try view.count(request) == 2)
    #expect(try view.first(Show.self)?.key == "a")
    #expect(try view.first(Show.self, where: { $0.year > 1990 }, sort: [.descending(\.year)])?.key == "c")
    #expect(try view.first(Show.self, matching: #Predicate { $0.year > 1990 })?.key == "b")
    #expect(try view.first(Show.self, where: { $0.year > 2010 }) == nil)
    #expect(try view.count(Show.self) == 3 && view.count(Show.self, where: { $0.year > 1990 }) == 2)
    #expect(try view.count(Show.self, matching: #Predicate { $0.year > 1990 }) == 2)
    var years: [Int] = []
    var stream = FetchDescriptor(Show.self)
    stream.batchSize = 2
    try view.objects.forEach(stream) { years.append($0.year) }
    #expect(years == [1990, 2000, 2010])
  }
}
