import Decoding
import FetchKit
import FetchKitTesting
import Foundation
import Testing

@Suite struct JSONBodyTests {
  @Test func `a JSON body wraps its value in the envelope that the path names`() async throws {
    let server = try LoopbackServer()
    server.on("/") { LoopbackResponse.text(String(decoding: $0.body, as: UTF8.self)) }
    let body = try RequestBody.json([1], at: "data.attributes")
    let text = try await FetchClient().fetch(HTTPRequest(.post, server.url, body: body), .string)
    #expect(text == #"{"data":{"attributes":[1]}}"#)
    #expect(server.requests.first?.headers["Content-Type"] == "application/json")
  }

  struct Book: Encodable {
    var title = "Emma"
    var released = Date(timeIntervalSince1970: 1)
    var pageCount = 3
    var authors = ["a"]
    var isbn = "i"
    var link = "a/b"
    var year = 1816
    var price = 1.5
  }

  private func text(_ body: RequestBody) -> String? {
    guard case .data(let data) = body.content else { return nil }
    return String(decoding: data, as: UTF8.self)
  }

  private static let members =
    #""pageCount":3,"authors":["a"],"isbn":"i","link":"a\/b","year":1816,"price":1.5}"#

  @Test func `a JSON body keeps the order of its members, so it is the same each time`() throws {
    let book = #"{"title":"Emma","released":-978307199,\#(Self.members)"#
    #expect(text(try RequestBody.json(Book())) == book)
    #expect(text(try RequestBody.json(Book(), at: "data")) == #"{"data":\#(book)}"#)
  }

  @Test func `a JSON body uses the options of the given encoder`() throws {
    let encoder = JSONBytesEncoder()
    encoder.dateEncodingStrategy = .secondsSince1970
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let book = #"{"title":"Emma","released":1,\#(Self.members.replacing("pageCount", with: "page_count"))"#
    #expect(text(try RequestBody.json(Book(), encoder: encoder)) == book)
    #expect(text(try RequestBody.json(Book(), at: "data", encoder: encoder)) == #"{"data":\#(book)}"#)
  }

  @Test func `a JSON body uses Foundation's encoder if it is given`() throws {
    final class Shouting: JSONEncoder, @unchecked Sendable {
      override func encode<T: Encodable>(_ value: T) throws -> Data { Data("\"LOUD\"".utf8) }
    }
    #expect(text(try RequestBody.json(Book(), encoder: Shouting())) == #""LOUD""#)
    #expect(text(try RequestBody.json(Book(), at: "data", encoder: Shouting())) == #"{"data":"LOUD"}"#)
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .secondsSince1970
    encoder.outputFormatting = .sortedKeys
    #expect(text(try RequestBody.json(Book(), encoder: encoder))?.contains(#""released":1,"#) == true)
  }

  @Test func `a JSON body whose path names no location is an error`() {
    #expect(throws: EncodingError.self) { try RequestBody.json([1], at: "data[*]") }
  }
}
