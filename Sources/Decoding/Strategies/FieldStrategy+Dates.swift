public import Foundation

extension FieldStrategy where Value == Date {
  /// A strategy for a date that is represented by the number of seconds since 1970.
  public static var secondsSince1970: FieldStrategy {
    FieldStrategy {
      Date(timeIntervalSince1970: try $0.decode(Double.self))
    } encode: {
      $0.timeIntervalSince1970
    }
  }

  /// A strategy for a date that is represented by the number of milliseconds since 1970.
  public static var millisecondsSince1970: FieldStrategy {
    FieldStrategy {
      Date(timeIntervalSince1970: try $0.decode(Double.self) / 1000)
    } encode: {
      let milliseconds = $0.timeIntervalSince1970 * 1000
      // A whole number that became the date comes back, although it is not always the product.
      let whole = milliseconds.rounded()
      return Date(timeIntervalSince1970: whole / 1000) == $0 ? whole : milliseconds
    }
  }

  /// A strategy for a date that is represented by an ISO 8601 string. The string contains either a date and a time with
  /// an offset, with or without fractional seconds, or only a date, which is decoded as midnight UTC. A date that does
  /// not exist, such as 2021-02-29, is invalid.
  ///
  /// Dates are rounded to milliseconds. They are encoded in UTC, with milliseconds unless the seconds are whole, and
  /// decode to the same date again. As in Foundation, dates before 15 October 1582 are in the Julian calendar.
  ///
  /// Encoding a date outside the years 1 to 99,999 throws `EncodingError.invalidValue`.
  public static var iso8601: FieldStrategy {
    FieldStrategy { container in
      guard let date = try container.decode(String.self).withByteView(ISO8601Reader.read) else {
        throw container.invalid("an ISO 8601 date")
      }
      return date.date
    } encode: { date in
      if let text = ISO8601Text(date) { return text }
      // Not the date itself: printing the error would trap for NaN.
      return UnencodableValue(date.timeIntervalSince1970, "ISO 8601 dates are in the years 1 to 99,999.")
    }
  }

  /// A strategy for a date that is represented by a string in a fixed format.
  ///
  /// - Parameters:
  ///   - format: A format as in `DateFormatter.dateFormat`, such as `yyyy-MM-dd`. The user's locale does not affect how
  ///     the format is interpreted.
  ///   - timeZone: The time zone of strings that do not specify one.
  public static func date(format: String, timeZone: TimeZone = .gmt) -> FieldStrategy {
    let shared = DateFormatters.formatter(format, timeZone)
    let hasEra = format.contains("G")
    return FieldStrategy { container in
      let text = try container.decode(String.self)
      // Before the year 1, which an offset can lead to, the text without an era would be that of another year.
      guard let date = shared.withLock({ $0.date(from: text) }),
        hasEra || date.timeIntervalSince1970 + Double(timeZone.secondsFromGMT(for: date)) >= -62_135_769_600
      else {
        throw container.invalid("a date in the format \(format)")
      }
      return date
    } encode: { date in
      shared.withLock { $0.string(from: date) }
    }
  }
}

/// A cache of formatters: creating one is expensive, and sharing one is not safe without a lock.
private enum DateFormatters {
  private struct Key: Hashable {
    let format: String
    let timeZone: TimeZone
  }

  private static let known = Lock<[Key: Lock<DateFormatter>]>([:])

  static func formatter(_ format: String, _ timeZone: TimeZone) -> Lock<DateFormatter> {
    let key = Key(format: format, timeZone: timeZone)
    if let known = known.withLock({ $0[key] }) { return known }
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = timeZone
    formatter.dateFormat = format
    formatter.isLenient = false
    let made = Lock(formatter)
    known.withLock { if $0.count < 100 { $0[key] = made } }  // formats may be created at run time
    return made
  }
}
