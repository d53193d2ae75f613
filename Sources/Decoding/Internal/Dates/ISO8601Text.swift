internal import Foundation

/// Dates in ISO 8601, with a precision of milliseconds, in the years 1 to 99,999.
///
/// Foundation's style truncates instead of rounding, accepts days that do not exist, and takes twenty times as long.
struct ISO8601Text {
  /// The milliseconds from 1970 to 2001, which `Date` counts from.
  private static let referenceDate = 978_307_200_000

  /// The milliseconds since 1970 of all dates that can be represented.
  private static let range = -62_135_769_600_000..<3_093_527_980_800_000

  /// The milliseconds since 1970.
  let milliseconds: Int

  /// Creates the milliseconds since 1970; nil if they are out of range.
  init?(milliseconds: Int) {
    guard Self.range.contains(milliseconds) else { return nil }
    self.milliseconds = milliseconds
  }

  /// Creates the milliseconds nearest to a date; nil if they are out of range.
  init?(_ date: Date) {
    self.init(sinceReferenceDate: (date.timeIntervalSinceReferenceDate * 1000).rounded())
  }

  /// Creates the last whole second of a date, as Foundation's coders do; nil if it is out of range.
  init?(secondOf date: Date) {
    self.init(sinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded(.down) * 1000)
  }

  private init?(sinceReferenceDate milliseconds: Double) {
    guard milliseconds.magnitude < 0x1p53 else { return nil }
    self.init(milliseconds: Int(milliseconds) + Self.referenceDate)
  }

  /// The nearest date: one division, so that the same milliseconds always become the same date and come from it.
  var date: Date { Date(timeIntervalSinceReferenceDate: Double(milliseconds - Self.referenceDate) / 1000) }

  /// The largest number of bytes.
  static let maximumLength = 25

  var text: String { String(unsafeUninitializedCapacity: Self.maximumLength) { $0.baseAddress.map(write) ?? 0 } }

  /// Writes the date in UTC, with milliseconds unless they are 0, and returns the number of bytes.
  func write(to output: UnsafeMutablePointer<UInt8>) -> Int {
    var end = 0
    func append(_ number: Int, digits: Int, before separator: StaticString) {
      var rest = number
      for index in (end..<end + digits).reversed() {
        output[index] = ASCII.zero + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      output[end + digits] = separator.utf8Start[0]
      end += digits + 1
    }
    let seconds = milliseconds.floored(by: 1000)
    let days = seconds.quotient.floored(by: 86400)
    let day = CalendarDay(number: days.quotient)
    append(day.year, digits: day.year < 10_000 ? 4 : 5, before: "-")
    append(day.month, digits: 2, before: "-")
    append(day.day, digits: 2, before: "T")
    append(days.remainder / 3600, digits: 2, before: ":")
    append(days.remainder / 60 % 60, digits: 2, before: ":")
    append(days.remainder % 60, digits: 2, before: seconds.remainder == 0 ? "Z" : ".")
    if seconds.remainder != 0 { append(seconds.remainder, digits: 3, before: "Z") }
    return end
  }
}

extension Int {
  fileprivate func floored(by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
