internal import Foundation

/// Reads the three forms of a date in HTTP (RFC 9110 §5.6.7), always in GMT.
enum HTTPDate {
  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  static func parse(_ text: String) -> Date? {
    let words = text.split { $0 == " " || $0 == "," || $0 == "-" }
    guard words.count >= 5 else { return nil }
    // asctime: Sun Nov  6 08:49:37 1994
    if let month = month(words[1]), words.count == 5 {
      return date(day: words[2], month: month, year: Int(words[4]), time: words[3])
    }
    // Sun, 06 Nov 1994 08:49:37 GMT and Sunday, 06-Nov-94 08:49:37 GMT
    guard words.count == 6, let month = month(words[2]), ["gmt", "utc"].contains(words[5].lowercased()) else {
      return nil
    }
    guard var year = Int(words[3]) else { return nil }
    if words[3].count == 2 { year += year < 70 ? 2000 : 1900 }
    return date(day: words[1], month: month, year: year, time: words[4])
  }

  private static func month(_ word: Substring) -> Int? {
    months.firstIndex(of: word.lowercased()).map { $0 + 1 }
  }

  private static func date(day: Substring, month: Int, year: Int?, time: Substring) -> Date? {
    let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard let day = Int(day), (1...31).contains(day), let year, (1601...9999).contains(year), clock.count == 3,
      let hour = clock[0], (0...23).contains(hour), let minute = clock[1], (0...59).contains(minute),
      let second = clock[2], (0...60).contains(second)
    else { return nil }
    // Days since 1970-01-01 in the proleptic Gregorian calendar, years counted from March.
    let marchYear = month <= 2 ? year - 1 : year
    let era = marchYear / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    return Date(timeIntervalSince1970: Double(days * 86400 + hour * 3600 + minute * 60 + second))
  }
}
