/// A day of the calendar that Foundation uses: Gregorian from 15 October 1582 on, Julian before.
///
/// The arithmetic is for years from 1 on.
struct CalendarDay: Equatable {
  var year: Int
  var month: Int
  var day: Int

  /// Whether the calendar has the day.
  var exists: Bool { year > 0 && CalendarDay(number: number) == self }

  /// The number of days since 1 January 1970.
  var number: Int {
    // A year begins in March, so that the leap day is its last one.
    let (year, month) = self.month > 2 ? (self.year, self.month - 3) : (self.year - 1, self.month + 9)
    let julian = 365 * year + year / 4 + (153 * month + 2) / 5 + day - 1
    let isGregorian = (self.year, self.month, day) >= (1582, 10, 15)
    return isGregorian ? julian - year / 100 + year / 400 - 719_468 : julian - 719_470
  }
}

extension CalendarDay {
  /// Creates the day with a number of days since 1 January 1970.
  init(number: Int) {
    var days = number + 719_470
    if number >= -141_427 {
      days -= 2
      // As if each century had a leap day.
      let century = (4 * days + 3) / 146_097
      days += century - century / 4
    }
    let year = (4 * days + 3) / 1461
    let dayOfYear = days - 1461 * year / 4
    let month = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * month + 2) / 5 + 1
    (self.year, self.month) = month < 10 ? (year, month + 3) : (year + 1, month - 9)
  }
}
