import Decoding
import Foundation
import Testing

/// Where a type threw an error of its own, whatever else was caught before.
@Suite struct ThrownPlaceTests {
  struct Refused: Error {}
  struct Other: Error {}

  struct Refusing: Decodable { init(from decoder: any Decoder) throws { throw Refused() } }

  /// Decodes members in an order, and does with the errors what its last member says.
  struct Trying: Decodable {
    enum CodingKeys: String, CodingKey { case first, second, how }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      switch try container.decode(String.self, forKey: .how) {
      case "forwards":
        _ = try? container.decode(Refusing.self, forKey: .first)
        _ = try container.decode(Refusing.self, forKey: .second)
      case "backwards":
        _ = try? container.decode(Refusing.self, forKey: .second)
        _ = try container.decode(Refusing.self, forKey: .first)
      case "replaced":
        do {
          _ = try container.decode(Refusing.self, forKey: .first)
        } catch {
          throw Other()
        }
      case "passed on":
        do {
          _ = try container.decode(Refusing.self, forKey: .second)
        } catch {
          throw error
        }
      default:
        _ = try? container.decode(Refusing.self, forKey: .first)
        throw Refused()
      }
    }
  }

  @Test(arguments: [
    ("forwards", "second"), ("backwards", "first"), ("replaced", nil), ("passed on", "second"), ("own", nil),
  ])
  func `an error has the path of the value whose type threw it`(how: String, member: String?) throws {
    let text = #"{"items": [{"first": [1], "second": {"a": 2}, "how": "\#(how)"}]}"#
    let data = Data(text.utf8)
    let expected: JSONPath = member.map { "items[0]['\($0)']" }.flatMap { try? JSONPath(parsing: $0) } ?? "items[0]"
    let decoder = JSONBytesDecoder()
    let whole = try #require(throws: LocatedDecodingError.self) {
      try decoder.decode([String: [Trying]].self, from: data)
    }
    let part = try #require(throws: LocatedDecodingError.self) {
      try decoder.decode([Trying].self, from: data, at: "items")
    }
    let theirs = try #require(throws: LocatedDecodingError.self) {
      try JSONDecoder().decode([Trying].self, from: data, at: "items")
    }
    for failure in [whole, part, theirs] {
      #expect(failure.kind == .custom)
      #expect(failure.path == expected)
      #expect(failure.expected == (member == nil ? "Trying" : "Refusing"))
      let name = member ?? "items\": ["
      #expect(
        failure.position?.offset
          == text.range(of: name + (member == nil ? "" : "\": ")).map { range in
            text.utf8.distance(from: text.startIndex, to: range.upperBound)
          })
      #expect(how == "replaced" ? failure.underlyingError is Other : failure.underlyingError is Refused)
    }
  }

  final class HeldError: Error {}

  struct Throwing: Decodable { init(from decoder: any Decoder) throws { throw HeldError() } }

  @Test func `an idle decoder retains no error that a type threw`() throws {
    let decoder = JSONBytesDecoder()
    func thrown() -> HeldError? {
      do {
        _ = try decoder.decode([Throwing].self, from: Data("[1]".utf8))
        return nil
      } catch {
        return error.underlyingError as? HeldError
      }
    }
    weak var held: HeldError?
    do {
      let error = try #require(thrown())
      held = error
    }
    #expect(held == nil)
  }

  @Test func `an error thrown while decoding one document does not affect the next one`() throws {
    let decoder = JSONBytesDecoder()
    for text in ["[1, 2]", "[[1], 2]"] {
      let failure = #expect(throws: LocatedDecodingError.self) {
        try decoder.decode([Refusing].self, from: Data(text.utf8))
      }
      #expect(failure?.path == "$[0]" && failure?.position?.offset == 1)
    }
  }
}
