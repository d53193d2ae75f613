public import Foundation

extension FieldStrategy where Value == Date {
  /// A number of seconds since 1970.
  public static var secondsSince1970: FieldStrategy {
    FieldStrategy {
      Date(timeIntervalSince1970: try $0.decode(Double.self))
    } encode: {
      $0.timeIntervalSince1970
    }
  }

  /// A number of milliseconds since 1970.
  public static var millisecondsSince1970: FieldStrategy {
    FieldStrategy {
      Date(timeIntervalSince1970: try $0.decode(Double.self) / 1000)
    } encode: {
      $0.timeIntervalSince1970 * 1000
    }
  }

  /// A text in ISO 8601: a date and time with an offset, with or without a fraction of a second, or a date alone, which
  /// means its start in UTC.
  ///
  /// Encoded in UTC, with milliseconds unless the seconds are whole.
  public static var iso8601: FieldStrategy {
    FieldStrategy { container in
      let text = try container.decode(String.self)
      let styles: [Date.ISO8601FormatStyle] = [
        .iso8601, Date.ISO8601FormatStyle(includingFractionalSeconds: true), .iso8601.year().month().day(),
      ]
      for style in styles {
        // Which of the three spellings it is shows in which of them can read it.
        if let date = try? style.parse(text) { return date }
      }
      throw container.invalid("a date in ISO 8601")
    } encode: { date in
      let seconds = date.timeIntervalSince1970
      return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: seconds != seconds.rounded()))
    }
  }

  /// A text in a fixed format.
  ///
  /// - Parameters:
  ///   - format: As in `DateFormatter.dateFormat`, such as `yyyy-MM-dd`, whatever the user's locale is.
  ///   - timeZone: What the text means where it does not say.
  public static func date(format: String, timeZone: TimeZone = .gmt) -> FieldStrategy {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = timeZone
    formatter.dateFormat = format
    formatter.isLenient = false
    // A formatter is costly to make and not safe to share, so there is one, behind a lock.
    let shared = Lock(formatter)
    return FieldStrategy { container in
      let text = try container.decode(String.self)
      guard let date = shared.withLock({ $0.date(from: text) }) else {
        throw container.invalid("a date in the format \(format)")
      }
      return date
    } encode: { date in
      shared.withLock { $0.string(from: date) }
    }
  }
}
