import Decoding
import Foundation
import LarderTestSupport
import Testing

@Suite struct ISO8601Tests {
  func decode(_ text: String) -> Date? {
    let dates = try? JSONBytesDecoder().decode([ISO8601<Date>].self, from: Data("[\"\(text)\"]".utf8))
    return dates?.first?.wrappedValue
  }

  func encode(_ date: Date) throws -> String {
    try #require(try JSONValue(encoding: ISO8601<Date>(wrappedValue: date)).string)
  }

  @Test func `a text with up to three digits is the same after any number of round trips`() throws {
    var generator = SplitMix.printed()
    for _ in 0..<4000 {
      let millisecond = "\(Int.random(in: 1000..<2000, using: &generator))".dropFirst()
      let second = Date(
        timeIntervalSince1970: Double(Int.random(in: -60_000_000_000...3_000_000_000_000, using: &generator)))
      let whole = second.formatted(.iso8601)
      let text = millisecond == "000" ? whole : whole.replacing("Z", with: ".\(millisecond)Z")
      var date = try #require(decode(text))
      for _ in 0..<3 {
        #expect(try encode(date) == text)
        let again = try #require(decode(text))
        #expect(again == date)
        date = again
      }
    }
  }

  @Test(arguments: [
    ("2021-01-02T03:04:05.0054Z", "2021-01-02T03:04:05.005Z"),
    ("2021-01-02T03:04:05.0055Z", "2021-01-02T03:04:05.006Z"),
    ("2021-12-31T23:59:59.9999999Z", "2022-01-01T00:00:00Z"),
    ("2021-01-02T03:04:05.12345678901234Z", "2021-01-02T03:04:05.123Z"),
    ("2021-01-02T03:04:05.5+01:30", "2021-01-02T01:34:05.500Z"),
    ("1969-12-31T23:59:59.25-0330", "1970-01-01T03:29:59.250Z"),
    ("2021-01-02T24:00:00Z", "2021-01-03T00:00:00Z"), ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
    ("9999-12-31T23:59:59.9999999Z", "10000-01-01T00:00:00Z"), ("1582-10-04", "1582-10-04T00:00:00Z"),
    ("1582-10-15", "1582-10-15T00:00:00Z"), ("1500-02-29", "1500-02-29T00:00:00Z"),
    ("2020-02-29T00:00:00+18:00", "2020-02-28T06:00:00Z"),
  ]) func `other texts are encoded in UTC and in milliseconds`(text: String, encoded: String) throws {
    let date = try #require(decode(text))
    #expect(try encode(date) == encoded)
    #expect(decode(encoded) == date)
  }

  @Test(arguments: [
    "2021-02-29", "2021-02-29T00:00:00Z", "2021-04-31", "2021-02-29T00:00:00.5Z", "1900-02-29", "1582-10-10",
    "0000-01-01",
    "0000-06-01T00:00:00Z", "0001-01-01T00:00:00+01:00", "99999-12-31T23:59:59.9999Z", "100000-01-01", "2021-00-01",
    "2021-13-01",
    "2021-01-00", "2021-01-01T24:00:01Z", "2021-01-01T25:00:00Z", "2021-01-01T00:60:00Z", "2021-01-01T00:00:61Z",
    "2021-01-01T00:00:00.Z", "2021-01-01T00:00:00", "2021-01-01T00:00:00+18:01", "2021-01-01T00:00:00+01:60",
    "2021-01-01T00:00:00+01:", "2021-01-01T00:00:00+", "2021-01-01T", "2021-01-01T00:00:00Z ", " 2021-01-01", "",
    "2021-01-01\\u0000",
  ]) func `a date that does not exist and any other text are refused`(text: String) {
    #expect(decode(text) == nil)
  }

  @Test func `days are those of a format`() throws {
    var generator = SplitMix.printed()
    let format = FieldStrategy<Date>.date(format: "yyyy-MM-dd")
    for _ in 0..<2000 {
      let text = HelperRoundTripTests.day(&generator)
      // The days that were left out when the calendar changed become others in a format.
      if text.hasPrefix("1582-10") { continue }
      let expected = try? Probe.json("{\"v\":\"\(text)\"}") { try $0.decode(at: "v", as: format) }
      #expect(decode(text) == expected, "\(text)")
    }
  }

  @Test(arguments: [-1e14, -62_135_769_600.001, 3_093_527_980_799.9996, 1e300, .infinity, .nan])
  func `a date that cannot be decoded again is not encoded`(seconds: Double) {
    #expect(throws: EncodingError.self) { try encode(Date(timeIntervalSince1970: seconds)) }
  }

  @Test func `the option of the coders equals Foundation's`() throws {
    var generator = SplitMix.printed()
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    for index in 0..<4000 {
      let text = Data("[\(HelperRoundTripTests.isoText(&generator))]".utf8)
      let expected = try? decoder.decode([Date].self, from: text)
      let found = try? JSONBytesDecoder(like: decoder).decode([Date].self, from: text)
      #expect(found == expected, "\(String(decoding: text, as: UTF8.self))")
      let range = index % 2 == 0 ? -1e11...4e12 : -62_300_000_000...(-62_000_000_000)
      var seconds = Double.random(in: range, using: &generator)
      if index % 3 == 0 { seconds = [seconds.rounded(), seconds.rounded().nextDown][index % 2] }
      let dates = [Date(timeIntervalSinceReferenceDate: seconds)]
      #expect(try JSONBytesEncoder(like: encoder).encode(dates) == encoder.encode(dates), "\(seconds)")
    }
  }
}
