import Decoding
import FetchKit
import FetchKitTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct QueryEncoderTests {
  struct Filter: Encodable {
    enum Order: String, Encodable { case newest }
    struct Author: Encodable {
      var name: String?
      var born: [Int]?
    }

    var ids = [3, 1, 2]
    var order = Order.newest
    var author = Author(name: "Emma", born: [1815])
    var isFree: Bool? = true
    var since: Date? = Date(timeIntervalSince1970: 0)
    var none: String?
    var text = "a,b&c"
    var price = 1.5
    var page: URL? = URL(string: "https://a.example/?x")
    var empty: [Int] = []
    var gaps: [Int?] = [1, nil]
  }

  private func text(_ encoder: QueryEncoder, _ value: some Encodable = Filter()) throws -> String {
    try encoder.encode(value).map { "\($0.name)=\($0.value ?? "nil")" }.joined(separator: " ")
  }

  private let rest =
    "order=newest page=https://a.example/?x price=1.5 since=1970-01-01T00:00:00Z text=a,b&c"

  @Test func `a value becomes items with the names of its keys, sorted and without nils`() throws {
    #expect(
      try text(QueryEncoder())
        == "author[born]=1815 author[name]=Emma gaps=1 ids=3 ids=1 ids=2 isFree=true \(rest)")
    #expect(
      try text(QueryEncoder(arrays: .brackets, nesting: .dots, usesNumericBooleans: true))
        == "author.born[]=1815 author.name=Emma gaps[]=1 ids[]=3 ids[]=1 ids[]=2 isFree=1 \(rest)")
    #expect(
      try text(QueryEncoder(arrays: .commas))
        == "author[born]=1815 author[name]=Emma gaps=1 ids=3,1,2 isFree=true \(rest)")
  }

  @Test func `the options of the JSON encoder apply`() throws {
    let encoder = QueryEncoder()
    encoder.encoder.dateEncodingStrategy = .secondsSince1970
    encoder.encoder.keyEncodingStrategy = .convertToSnakeCase
    let text = try text(encoder)
    #expect(text.contains("is_free=true") && text.contains("since=0"))
    #expect(try QueryEncoder().encode(["b": 1, "a": 2, "c": 3]).map(\.name) == ["a", "b", "c"])
    #expect(try QueryEncoder().encode(["a": ["b": ["c": UInt64.max]]]).first?.name == "a[b][c]")
  }

  @Test func `values without a form as a query are an error`() {
    for encoder in [QueryEncoder(), QueryEncoder(arrays: .brackets), QueryEncoder(arrays: .commas)] {
      #expect(throws: EncodingError.self) { try encoder.encode(5) }
      #expect(throws: EncodingError.self) { try encoder.encode([5]) }
      #expect(throws: EncodingError.self) { try encoder.encode(["a": [[5]]]) }
      #expect(throws: EncodingError.self) { try encoder.encode(["a": [["b": 5]]]) }
      #expect(throws: EncodingError.self) { try encoder.encode(["a": Double.nan]) }
    }
    #expect(throws: EncodingError.self) { try QueryEncoder(arrays: .commas).encode(["a": ["b,c"]]) }
  }

  struct Search: Endpoint {
    var baseURL: URL
    var filter: [String: [String]]
    var queryItems: [URLQueryItem] {
      get throws { try QueryEncoder(arrays: .commas).encode(filter) }
    }
  }

  @Test func `a request, an endpoint and a form send the items`() async throws {
    let server = try LoopbackServer()
    server.on("/") { .data($0.body) }
    let client = FetchClient()
    let items = try QueryEncoder(arrays: .brackets).encode(["ids": ["1", "a b+"]])
    var request = HTTPRequest(.get, server.url.appending(queryItems: [URLQueryItem(name: "x", value: "y")]))
    request.appendQuery(items)
    request.appendQuery([])
    try await client.fetch(request, .void)
    try await client.fetch(Search(baseURL: server.url, filter: ["ids": ["1", "2"]]), .void)
    #expect(server.requests.map(\.target) == ["/?x=y&ids%5B%5D=1&ids%5B%5D=a%20b%2B", "/?ids=1%2C2"])
    #expect(server.requests[1].query("ids") == "1,2")
    let form = try await client.fetch(HTTPRequest(.post, server.url, body: .form(items)), .string)
    #expect(form == "ids%5B%5D=1&ids%5B%5D=a+b%2B")
  }

  @Test func `an endpoint whose query cannot be encoded is an invalid request that shows no value`() async {
    let endpoint = Search(baseURL: URL(filePath: "/"), filter: [:]).baseURL
    let search = Search(baseURL: URL(string: "http://a.example") ?? endpoint, filter: ["ids": ["s3cret,"]])
    do throws(FetchError) {
      _ = try search.httpRequest()
      Issue.record("the request was built")
    } catch {
      guard case .invalidRequest = error else {
        Issue.record("\(error)")
        return
      }
      #expect(!"\(error)".contains("s3cret"))
    }
  }
}
