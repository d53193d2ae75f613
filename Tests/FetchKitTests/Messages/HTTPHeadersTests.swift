import FetchKit
import Testing

@Suite struct HTTPHeadersTests {
  @Test func `header names are compared without regard to case and keep their spelling`() {
    let headers: HTTPHeaders = ["Content-Type": "text/plain", "ETag": "x"]
    #expect(headers["content-type"] == "text/plain")
    #expect(headers["ETAG"] == "x")
    #expect(headers["Content-Typ"] == nil)
    #expect(headers.map(\.name) == ["Content-Type", "ETag"])
  }

  @Test func `duplicate headers stay in order, and setting one replaces all in the first one's place`() {
    var headers: HTTPHeaders = ["A": "1", "B": "x", "a": "2"]
    #expect(headers.values(for: "a") == ["1", "2"])
    headers["a"] = "3"
    #expect(headers.map(\.value) == ["3", "x"])
    headers["A"] = nil
    #expect(headers.map(\.name) == ["B"])
  }

  @Test func `the description and dump of headers hide credentials`() {
    let headers: HTTPHeaders = [
      "AUTHORIZATION": "Bearer s3cret", "cookie": "s3cret", "X-Mine": "s3cret", "Accept": "a",
    ]
    #expect(!headers.description(redacting: ["X-Mine"]).contains("s3cret"))
    #expect(headers.description.contains("Accept: a"))
    var dumped = ""
    var shown = headers
    shown["X-Mine"] = nil
    dump(shown, to: &dumped)
    #expect(!dumped.contains("s3cret"))
  }
}
