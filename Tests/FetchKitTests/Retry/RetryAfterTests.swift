import Foundation
import Testing

@testable import FetchKit

@Suite struct RetryAfterTests {
  private let now = Date(timeIntervalSince1970: 784_111_777)  // Sun, 06 Nov 1994 08:49:37 GMT

  @Test(arguments: [
    ("0", 0), ("120", 120), (" 7 ", 7), ("999999999999999999999", 1_000_000_000),
    ("Sun, 06 Nov 1994 08:49:47 GMT", 10), ("Sunday, 06-Nov-94 08:50:37 GMT", 60), ("Sun Nov  6 08:49:37 1994", 0),
    ("Sun, 06 Nov 1994 08:00:00 GMT", 0), ("Mon, 07 Nov 1994 08:49:37 GMT", 86400),
    ("Tue, 29 Feb 2000 00:00:00 GMT", 167_670_623),
  ])
  func `Retry-After is read as seconds and as the three date formats`(text: String, seconds: Int) {
    #expect(RetryAfter.delay(in: ["retry-after": text], now: now) == .seconds(seconds))
  }

  @Test(arguments: [
    "", "-1", "1.5", "soon", "1e3", "Sun, 06 Nov 1994 08:49:47", "Sun, 06 Foo 1994 08:49:47 GMT",
    "Sun, 32 Nov 1994 08:49:47 GMT", "Sun, 06 Nov 1994 24:49:47 GMT", "Sun, 06 Nov 1994 08:49 GMT",
    "Sun, 06 Nov 99999 08:49:47 GMT", "Sun, 06 Nov 1994 08:49:47 PST", "0x10",
  ])
  func `an invalid Retry-After is no delay`(text: String) {
    #expect(RetryAfter.delay(in: ["Retry-After": text], now: now) == nil)
  }

  @Test func `a Retry-After date is measured against the server's own date`() {
    let headers: HTTPHeaders = [
      "Retry-After": "Sun, 06 Nov 1994 08:49:47 GMT", "Date": "Sun, 06 Nov 1994 08:49:42 GMT",
    ]
    #expect(RetryAfter.delay(in: headers, now: .distantFuture) == .seconds(5))
  }

  @Test func `HTTP dates of four centuries agree with the calendar`() {
    let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    var day = 0
    for year in 1970..<2370 {
      let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      for (month, length) in lengths.enumerated() {
        for date in [1, length] {
          let text = "Xxx, \(date) \(names[month]) \(year) 00:00:00 GMT"
          #expect(HTTPDate.parse(text)?.timeIntervalSince1970 == Double((day + date - 1) * 86400))
        }
        day += length
      }
    }
  }
}
