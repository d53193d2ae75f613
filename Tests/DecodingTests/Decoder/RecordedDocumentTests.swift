import Decoding
import Foundation
import Testing

/// Documents as services send them, through Foundation's decoder and ours: the same value, read by every kind of path.
@Suite(.enabled(if: Fixtures.directory("bench") != nil, "recorded documents are not there"))
struct RecordedDocumentTests {
  static let names: [String] =
    ["bench/twitter.json", "bench/citm_catalog.json"] + ["flickr", "googlebooks", "tmdb"].flatMap(files)

  private static func files(in folder: String) -> [String] {
    guard let directory = Fixtures.directory(folder),
      let names = try? FileManager.default.contentsOfDirectory(atPath: directory.path)
    else { return [] }
    return names.filter { $0.hasSuffix(".json") }.sorted().map { "\(folder)/\($0)" }
  }

  @Test(arguments: names) func `a recorded document decodes to the same value in both decoders`(name: String) throws {
    let data = try Data(contentsOf: try #require(Fixtures.file(name)))
    let expected = try JSONDecoder().decode(AnyValue.self, from: data)
    #expect(try JSONBytesDecoder().decode(AnyValue.self, from: data) == expected)
    #expect(try JSONBytesDecoder().decode(AnyValue.self, from: Array(data)) == expected)
    #expect(try JSONDocument(data, validation: .trusted).decode(AnyValue.self) == expected)
    #expect(throws: Never.self) { try JSONBytesDecoder().decode(Ignored.self, from: data) }
  }

  @Test func `recorded coordinates decode to the same bits in both decoders`() throws {
    struct Map: Decodable, Equatable {
      struct Feature: Decodable, Equatable {
        struct Geometry: Decodable, Equatable { let coordinates: [[[Double]]] }
        let geometry: Geometry
      }
      let features: [Feature]
    }
    let data = try Data(contentsOf: try #require(Fixtures.file("bench/canada.json")))
    #expect(try JSONBytesDecoder().decode(Map.self, from: data) == JSONDecoder().decode(Map.self, from: data))
  }
}
