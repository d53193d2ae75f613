import Decoding
import Foundation
import Testing

@Suite struct LossyWrapperTests {
  struct Lossies: Codable, Equatable {
    @LossyDictionary var ranks: [Int: String]
    @LossyDictionary var prices: [String: Double]
    @LossySet var tags: Set<String>
    @LossyOptional var rating: Double?
    @LossyOptional var link: URL?
  }

  @Test(arguments: TestedDecoder.all) func `what cannot be decoded is left out and reported`(decoder: TestedDecoder)
    throws
  {
    let lossies = try decoder.decode(
      Lossies.self,
      #"{"ranks":{"2":"b","1":"a","x":"c","3":4},"prices":{"a":1,"b":"c"},"tags":["a","b","a",1,null],"rating":{"a":1},"link":"l"}"#
    )
    #expect(lossies.ranks == [1: "a", 2: "b"] && lossies.prices == ["a": 1] && lossies.tags == ["a", "b"])
    #expect(lossies.rating == nil && lossies.link == URL(string: "l"))
    #expect(lossies.$ranks.map(\.path) == ["ranks['3']", "ranks.x"] && lossies.$prices.map(\.path) == ["prices.b"])
    #expect(lossies.$tags.map(\.index) == [3, 4] && lossies.$rating?.path == "rating" && lossies.$link == nil)
    #expect(
      try lossies.encoded["ranks"] == ["1": "a", "2": "b"] && lossies.encoded["rating"] == nil
        && lossies.encoded["tags"]?.array?.count == 2)
    let again = try decoder.decode(Lossies.self, lossies.encoded.description)
    #expect(again == lossies && again.$tags.isEmpty)
  }

  @Test(arguments: TestedDecoder.all) func `missing and null are empty, and no drops`(decoder: TestedDecoder) throws {
    for text in ["{}", #"{"ranks":null,"prices":null,"tags":null,"rating":null,"link":null}"#] {
      let empty = try decoder.decode(Lossies.self, text)
      #expect(empty.ranks.isEmpty && empty.prices.isEmpty && empty.tags.isEmpty && empty.rating == nil)
      #expect(empty.$ranks.isEmpty && empty.$tags.isEmpty && empty.$rating == nil)
    }
    for text in [#"{"ranks":[]}"#, #"{"tags":{}}"#, #"{"prices":1}"#] {
      #expect(throws: (any Error).self) { try decoder.decode(Lossies.self, text) }
    }
  }
}
