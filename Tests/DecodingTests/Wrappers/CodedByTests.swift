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

  /// Reads and writes a value as the one element of an array.
  enum Boxed<Value: Codable & Sendable>: FieldStrategySource {
    static var strategy: FieldStrategy<Value> {
      FieldStrategy {
        try $0.decode([Value].self)[0]
      } encode: {
        [$0]
      }
    }
  }

  struct Everyday: Codable, Equatable {
    @CodedBy<Boxed<Bool>, Bool> var flag: Bool
    @CodedBy<Boxed<Int8>, Int8> var int8: Int8
    @CodedBy<Boxed<Int16>, Int16> var int16: Int16
    @CodedBy<Boxed<UInt8>, UInt8> var uint8: UInt8
    @CodedBy<Boxed<UInt16>, UInt16> var uint16: UInt16
    @CodedBy<Boxed<URL>, URL> var url: URL
    @CodedBy<Boxed<Data>, Data> var data: Data
    @CodedBy<Boxed<Decimal>, Decimal> var decimal: Decimal
    @CodedBy<Boxed<UUID>, UUID?> var id: UUID?
    @NumberInString var pages: UInt16
  }

  @Test(arguments: TestedDecoder.all) func `CodedBy supports every common type`(decoder: TestedDecoder) throws {
    let text = #"""
      {"flag":[true],"int8":[-1],"int16":[-2],"uint8":[1],"uint16":[2],"url":["a:b"],"data":["AQ=="],\#
      "decimal":[0.1],"pages":"7"}
      """#
    let everyday = try decoder.decode(Everyday.self, text)
    #expect(everyday.flag && everyday.data == Data([1]) && everyday.decimal == Decimal(string: "0.1"))
    #expect(everyday.id == nil && everyday.pages == 7)
    #expect(try everyday.encoded == JSONValue(parsing: text))
  }

  @Test(arguments: TestedDecoder.all) func `dates are read and written in the format of their wrapper`(
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
