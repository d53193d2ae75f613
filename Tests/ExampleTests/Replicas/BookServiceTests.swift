import Foundation
import Testing

@testable import ExampleReplicas

@Suite struct BookServiceTests {
  private let service = BookService(origin: "http://127.0.0.1:1")

  private func object(_ answer: Answer) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: answer.body) as? [String: Any])
  }

  private func page(_ query: String, from start: Int = 0, size: Int = 40) throws -> [[String: Any]]? {
    let query = ["q": query, "startIndex": "\(start)", "maxResults": "\(size)"]
    return try object(service.search(query, tick: 0))["items"] as? [[String: Any]]
  }

  @Test(arguments: [
    (["q": ""], 400, "queryRequired"), (["maxResults": "41"], 400, "invalidParameter"),
    (["startIndex": "-1"], 400, "invalidParameter"), (["key": "invalid"], 400, "badRequest"),
  ])
  func `the books replica refuses unsupported requests as the real service does`(
    changes: [String: String], status: Int, reason: String
  )
    throws
  {
    let answer = service.search(["q": "ruby"].merging(changes) { $1 }, tick: 0)
    #expect(answer.status == status)
    let error = try #require(try object(answer)["error"] as? [String: Any])
    #expect(error["code"] as? Int == status)
    #expect((error["errors"] as? [[String: Any]])?.first?["reason"] as? String == reason)
  }

  @Test func `books responses past the end or without hits have no items member`() throws {
    #expect(try page("no such book anywhere") == nil)
    #expect(try page("ruby", from: 4000) == nil)
    #expect(try object(service.search(["q": "zzzz"], tick: 0))["totalItems"] as? Int == 0)
  }

  @Test func `ten pages of forty are all full for a common word, and some repeat a volume`() throws {
    let pages = try (0..<10).map { try #require(try page("the", from: $0 * 40)) }
    #expect(pages.allSatisfy { $0.count == 40 })
    let ids = pages.joined().compactMap { $0["id"] as? String }
    #expect(ids.count == 400)
    #expect(Set(ids).count < 400)
  }

  @Test func `the books total is an estimate that differs from page to page`() throws {
    let totals = try (0..<5).map {
      try object(service.search(["q": "the", "startIndex": "\($0 * 40)"], tick: 0))["totalItems"] as? Int
    }
    #expect(Set(totals).count > 1)
  }

  @Test func `the books replica has the real service's oddities`() {
    let volumes = BookCatalogue.volumes
    #expect(Set(volumes.map(\.id)).count == volumes.count)
    #expect(volumes.contains { !$0.hasTitle } && volumes.filter { !$0.hasTitle }.count < volumes.count / 20)
    #expect(volumes.contains { $0.authors == nil } && volumes.contains { !$0.hasCover })
    #expect(volumes.contains { $0.identifiers == nil })
    for kind in ["ISBN_10", "OTHER", "ISSN"] {
      #expect(volumes.contains { $0.identifiers?.map(\.type) == [kind] }, "none has \(kind) alone")
    }
    #expect(Set(volumes.compactMap { $0.published?.count }) == [4, 7, 10])
    #expect(Set(volumes.map(\.isbn)).count < volumes.count)
  }

  @Test func `ISBNs of the books replica have valid check digits`() {
    for volume in BookCatalogue.volumes {
      let sum = volume.isbn.enumerated().reduce(0) { sum, digit in
        sum + (digit.element.wholeNumberValue ?? 0) * (digit.offset.isMultiple(of: 2) ? 1 : 3)
      }
      #expect(volume.isbn.count == 13 && sum.isMultiple(of: 10))
    }
  }

  @Test func `a volume is found by its id and by its ISBN, and its cover by its link`() throws {
    let volume = try #require(BookCatalogue.volumes.first { $0.hasCover && $0.identifiers?.count == 2 && $0.hasTitle })
    let info = try #require(try object(service.volume(volume.id, [:], tick: 0))["volumeInfo"] as? [String: Any])
    #expect(info["title"] as? String == volume.title)
    #expect(try page("isbn:\(volume.isbn)")?.contains { $0["id"] as? String == volume.id } == true)
    let link = try #require((info["imageLinks"] as? [String: Any])?["smallThumbnail"] as? String)
    #expect(link.hasPrefix("http://127.0.0.1:1/books/content?id=\(volume.id)&"))
    #expect(service.cover(["id": volume.id]).contentType == "image/jpeg")
    #expect(service.cover(["id": "none"]).status == 404)
    #expect(service.volume("none", [:], tick: 0).status == 404)
  }
}
