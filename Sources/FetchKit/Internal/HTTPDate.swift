internal import Foundation

/// Parses the three HTTP date formats (RFC 9110 §5.6.7), always in GMT.
///
/// Strict where leniency would be a guess: time zones, two-digit years and missing digits of the time. The case of
/// names is ignored, the weekday is not checked, and the day of the month may have one digit.
enum HTTPDate {
  static func parse(_ text: String) -> Date? {
    var cursor = Cursor(rest: text.utf8[...])
    guard cursor.skipLetters() else { return nil }
    // asctime: Sun Nov  6 08:49:37 1994
    guard cursor.skip(",") else { return parseASCTime(&cursor) }
    // Sun, 06 Nov 1994 08:49:37 GMT and Sunday, 06-Nov-94 08:49:37 GMT
    guard cursor.skip(" "), let day = cursor.number(1...2) else { return nil }
    let isObsolete = cursor.skip("-")
    guard isObsolete || cursor.skip(" "), let month = cursor.month(), cursor.skip(isObsolete ? "-" : " "),
      var year = cursor.number(isObsolete ? 2...2 : 4...4), cursor.skip(" "), let time = cursor.time(),
      cursor.skip(" "), cursor.isAtGMT
    else { return nil }
    if isObsolete { year += year < 70 ? 2000 : 1900 }
    return date(day: day, month: month, year: year, time: time)
  }

  private static func parseASCTime(_ cursor: inout Cursor) -> Date? {
    guard cursor.skip(" "), let month = cursor.month(), cursor.skip(" ") else { return nil }
    let isPadded = cursor.skip(" ")
    guard let day = cursor.number(isPadded ? 1...1 : 2...2), cursor.skip(" "), let time = cursor.time(),
      cursor.skip(" "), let year = cursor.number(4...4), cursor.rest.isEmpty
    else { return nil }
    return date(day: day, month: month, year: year, time: time)
  }

  private static func date(day: Int, month: Int, year: Int, time: Int) -> Date? {
    guard (1...31).contains(day), year >= 1601 else { return nil }
    // Days since 1970-01-01 in the proleptic Gregorian calendar, years counted from March.
    let marchYear = month <= 2 ? year - 1 : year
    let era = marchYear / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    return Date(timeIntervalSince1970: Double(days * 86400 + time))
  }

  private struct Cursor {
    private static let months: [[UInt8]] = [
      "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ].map { Array($0.utf8) }

    var rest: Substring.UTF8View

    var isAtGMT: Bool {
      rest.count == 3 && rest.elementsEqual("gmt".utf8) { $0.asciiLowercase == $1 }
    }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard let first = rest.first, UInt32(first) == character.value else { return false }
      rest.removeFirst()
      return true
    }

    mutating func skipLetters() -> Bool {
      let before = rest.count
      rest = rest.drop { (0x61...0x7A).contains($0.asciiLowercase) }
      return rest.count < before
    }

    mutating func number(_ digits: ClosedRange<Int>) -> Int? {
      var value = 0
      var count = 0
      while count < digits.upperBound, let byte = rest.first, (0x30...0x39).contains(byte) {
        value = value * 10 + Int(byte - 0x30)
        count += 1
        rest.removeFirst()
      }
      return count >= digits.lowerBound ? value : nil
    }

    mutating func month() -> Int? {
      let name = rest.prefix(3)
      let index = Self.months.firstIndex { month in name.elementsEqual(month) { $0.asciiLowercase == $1 } }
      rest = rest.dropFirst(3)
      return index.map { $0 + 1 }
    }

    /// Returns the second of the day.
    mutating func time() -> Int? {
      guard let hour = number(2...2), hour < 24, skip(":"), let minute = number(2...2), minute < 60, skip(":"),
        let second = number(2...2), second <= 60
      else { return nil }
      return hour * 3600 + minute * 60 + second
    }
  }
}
