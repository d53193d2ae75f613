import Foundation
import Testing

@testable import ExampleReplicas

@Suite struct JSONValueTests {
  @Test func `object members are written by name, and a missing value as null`() {
    let object: JSONObject = ["b": 1, "a": String?.none, "c": [true, false] as [Bool]]
    #expect(String(decoding: object.data, as: UTF8.self) == #"{"a":null,"b":1,"c":[true,false]}"#)
  }

  @Test func `a whole number is written without a fraction, and a non-number as null`() {
    let object: JSONObject = ["a": 8.0, "b": 7.851, "c": -0.5, "d": Double.infinity, "e": 1e300]
    #expect(String(decoding: object.data, as: UTF8.self) == #"{"a":8,"b":7.851,"c":-0.5,"d":null,"e":1e+300}"#)
  }

  @Test func `any text reads back as it was written`() throws {
    let text = "“quoted” \"so\" \\ / \u{0}\u{1F}\n\t\u{7F}\u{2028} é 🧊"
    let object: JSONObject = ["text": text]
    #expect(try JSONDecoder().decode([String: String].self, from: object.data) == ["text": text])
  }

  @Test func `merged members replace existing ones`() {
    let object: JSONObject = ["a": 1, "b": 2]
    #expect(String(decoding: object.merging(["b": "x"]).data, as: UTF8.self) == #"{"a":1,"b":"x"}"#)
  }
}
