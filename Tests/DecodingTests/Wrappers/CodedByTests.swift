import Decoding
import Foundation
import Testing

@Suite struct CodedByTests {
  enum Day: FieldStrategySource {
    static let strategy = FieldStrategy<Date>.date(format: "yyyy-MM-dd")
  }

  struct Concert: Codable, Equatable {
    @ISO8601 var created: Date
    @ISO8601 var changed: Date?
    @MillisecondsSince1970 var start: Date
    @MillisecondsSince1970 var end: Date?
    @SecondsSince1970 var sold: Date?
    @CodedBy<Day, Date> var day: Date
    @CodedBy<Day, Date?> var moved: Date?
  }

  @Test(arguments: TestedDecoder.all) func `dates are read and written in the form of their wrapper`(
    decoder: TestedDecoder
  ) throws {
    let text = #"{"created":"1970-01-01T00:00:01Z","start":1500,"sold":2.5,"day":"1970-01-02"}"#
    let concert = try decoder.decode(Concert.self, text)
    #expect(concert.created == Date(timeIntervalSince1970: 1) && concert.start == Date(timeIntervalSince1970: 1.5))
    #expect(concert.changed == nil && concert.end == nil && concert.sold == Date(timeIntervalSince1970: 2.5))
    #expect(concert.day == Date(timeIntervalSince1970: 86400) && concert.moved == nil)
    #expect(try concert.encoded == JSONValue(parsing: text))
    let full =
      #"{"created":"1970-01-01T00:00:01.250Z","changed":"1970-01-01","start":1,"end":2,"sold":null,"day":"1970-01-02","moved":"1970-01-03"}"#
    #expect(try decoder.decode(Concert.self, full).moved == Date(timeIntervalSince1970: 172_800))
    for wrong in [
      text.replacing("1500", with: "null"), text.replacing("01-02", with: "02-30"), text.replacing("T", with: "x"),
    ] {
      #expect(throws: (any Error).self) { try decoder.decode(Concert.self, wrong) }
    }
  }
}
