import Foundation
import Testing

@testable import FetchKit

@Suite struct ResumeDecisionTests {
  typealias Row = (status: Int, headers: HTTPHeaders, expected: ResumeDecision)

  static let resumption = ResumeDecision.Resumption(offset: 100, total: 1000, validator: .entityTag("\"a\""))

  @Test(
    arguments: [
      (206, ["Content-Range": "bytes 100-999/1000", "ETag": "\"a\""], .continued(end: 1000, total: 1000)),
      (206, ["Content-Range": "bytes 100-999/1000"], .continued(end: 1000, total: 1000)),
      (206, ["Content-Range": "bytes 100-199/*"], .continued(end: 200, total: 1000)),
      (
        206, ["Content-Range": "Bytes 100-199/1000", "Content-Encoding": "identity"], .continued(end: 200, total: 1000)
      ),
      (206, ["Content-Range": "bytes 99-999/1000"], .requestAgain),
      (206, ["Content-Range": "bytes 101-999/1000"], .requestAgain),
      (206, ["Content-Range": "bytes 100-999/1001"], .requestAgain),
      (206, ["Content-Range": "bytes 100-1000/*"], .requestAgain),
      (206, ["Content-Range": "bytes 100-99/1000"], .requestAgain),
      (206, ["Content-Range": "bytes 100-999/1000", "ETag": "\"b\""], .requestAgain),
      (206, ["Content-Range": "bytes 100-999/1000", "ETag": "W/\"a\""], .requestAgain),
      (206, ["Content-Range": "bytes 100-999/1000", "Content-Encoding": "gzip"], .requestAgain),
      (206, ["Content-Type": "multipart/byteranges; boundary=x"], .requestAgain),
      (206, ["Content-Range": "items 100-999/1000"], .requestAgain),
      (206, ["Content-Range": "bytes 18446744073709551616-18446744073709551617/*"], .requestAgain),
      (206, [:], .requestAgain),
      (200, ["ETag": "\"b\"", "Content-Length": "5"], .fromStart(total: 5, validator: .entityTag("\"b\""))),
      (200, [:], .fromStart(total: nil, validator: nil)),
      (416, ["Content-Range": "bytes */50"], .requestAgain),
      (204, [:], .fail(.status(204))),
      (404, [:], .fail(.status(404))),
    ] as [Row]) func `the response to a request for the rest decides how a download continues`(row: Row)
  {
    #expect(ResumeDecision(status: row.status, headers: row.headers, resuming: Self.resumption) == row.expected)
  }

  @Test(
    arguments: [
      (200, ["Content-Length": "5", "ETag": "\"b\""], .fromStart(total: 5, validator: .entityTag("\"b\""))),
      (203, ["Content-Length": "5"], .fromStart(total: 5, validator: nil)),
      (200, ["Content-Length": "-5"], .fromStart(total: nil, validator: nil)),
      (200, ["Content-Length": "99999999999999999999"], .fromStart(total: nil, validator: nil)),
      (200, ["Content-Length": "5", "Transfer-Encoding": "chunked"], .fromStart(total: nil, validator: nil)),
      (
        200, ["Content-Length": "5", "Content-Encoding": "gzip", "ETag": "\"b\""],
        .fromStart(total: nil, validator: nil)
      ),
      (206, ["Content-Range": "bytes 0-4/5"], .fail(.response(reason: "the server sent only part of the file"))),
      (204, [:], .fail(.status(204))),
      (416, [:], .fail(.status(416))),
    ] as [Row]) func `the response to a request for the whole file decides how a download continues`(row: Row)
  {
    #expect(ResumeDecision(status: row.status, headers: row.headers, resuming: nil) == row.expected)
  }

  @Test(
    arguments: [
      (["ETag": "\"a\""], .entityTag("\"a\"")),
      (["ETag": "W/\"a\""], nil),
      (["ETag": "a"], nil),
      (["ETag": "\""], nil),
      (
        [
          "ETag": "W/\"a\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT",
          "Date": "Sun, 06 Nov 1995 08:49:37 GMT",
        ], nil
      ),
      (
        ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:50:37 GMT"],
        .lastModified("Sun, 06 Nov 1994 08:49:37 GMT")
      ),
      (["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:50:36 GMT"], nil),
      (["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"], nil),
      (["Last-Modified": "yesterday", "Date": "Sun, 06 Nov 1994 08:50:36 GMT"], nil),
      ([:], nil),
    ] as [(HTTPHeaders, Validator?)]) func `only a strong validator is used for resuming`(
      headers: HTTPHeaders, expected: Validator?
    )
  {
    #expect(Validator(headers) == expected)
  }
}
