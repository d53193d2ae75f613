internal import Foundation

/// Reads a date in ISO 8601: a day, or a day and a time with an offset.
struct ISO8601Reader {
  private let text: ByteView
  private var index = 0
  private var isWholeSecond = false

  private init(_ text: ByteView) { self.text = text }

  /// Reads the whole text; nil if it is anything else, a day that does not exist, or out of range.
  static func read(_ text: ByteView) -> ISO8601Text? {
    var reader = ISO8601Reader(text)
    return reader.read()
  }

  /// Reads a date and a time in whole seconds, which Foundation's style reads in the same way.
  static func wholeSeconds(_ text: ByteView) -> Date? {
    var reader = ISO8601Reader(text)
    guard let date = reader.read(), reader.isWholeSecond else { return nil }
    return date.date
  }

  private mutating func read() -> ISO8601Text? {
    guard let day = day() else { return nil }
    if index == text.count { return ISO8601Text(milliseconds: day * 86_400_000) }
    guard let time = time(), let offset = offset(), index == text.count else { return nil }
    return ISO8601Text(milliseconds: day * 86_400_000 + time - offset * 60_000)
  }

  private mutating func day() -> Int? {
    guard let year = number(4...5), skip("-"), let month = number(1...2), skip("-"), let day = number(1...2) else {
      return nil
    }
    let date = CalendarDay(year: year, month: month, day: day)
    return date.exists ? date.number : nil
  }

  /// Reads a time of day in milliseconds, rounded. It can be 24:00:00, or end in a leap second.
  private mutating func time() -> Int? {
    guard skip("T"), let hour = number(1...2), skip(":"), let minute = number(1...2), skip(":"),
      let second = number(1...2), minute < 60, second <= 60, hour < 24 || hour == 24 && minute + second == 0
    else { return nil }
    isWholeSecond = !skip(".")
    let milliseconds = isWholeSecond ? 0 : fraction()
    return milliseconds.map { ((hour * 60 + minute) * 60 + second) * 1000 + $0 }
  }

  private mutating func fraction() -> Int? {
    let start = index
    var sum = 0
    var unit = 1000
    while index < text.count, text.isDigit(index) {
      sum += Int(text[index] - ASCII.zero) * unit
      unit /= 10
      index += 1
    }
    return index > start ? (sum + 5) / 10 : nil
  }

  /// Reads an offset from UTC in minutes: `Z`, or up to 18 hours as `+hh:mm`, `+hhmm` or `+hh`.
  private mutating func offset() -> Int? {
    if skip("Z") || skip("z") { return 0 }
    let isNegative = skip("-")
    guard isNegative || skip("+"), let hours = number(1...2) else { return nil }
    let minutes = skip(":") ? number(1...2) : index < text.count ? number(2...2) : 0
    guard let minutes, minutes < 60, hours * 60 + minutes <= 18 * 60 else { return nil }
    return (hours * 60 + minutes) * (isNegative ? -1 : 1)
  }

  private mutating func number(_ digits: ClosedRange<Int>) -> Int? {
    let start = index
    var number = 0
    while index < text.count, index - start < digits.upperBound, text.isDigit(index) {
      number = number * 10 + Int(text[index] - ASCII.zero)
      index += 1
    }
    return index - start >= digits.lowerBound ? number : nil
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard index < text.count, text[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }
}
