import Foundation
import Testing

@testable import Decoding

@Suite struct ByteReaderTests {
  func skip(_ bytes: [UInt8]) -> JSONSyntaxError? {
    bytes.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes)
      do throws(JSONSyntaxError) {
        try reader.skipDocument()
        #expect(SyntaxErrorSearch(ByteView(bytes), depthLimit: 512)?.error == nil)
        return nil
      } catch {
        #expect(SyntaxErrorSearch(ByteView(bytes), depthLimit: 512)?.error.offset == error.offset)
        return error
      }
    }
  }

  @Test(arguments: [
    "0", "-0", "1.5e+10", "0e1", "1E-2", "true", "false", "null", #""""#, #""\"\\\/\b\f\n\r\t\u00e9""#, "[]", "{}",
    " [ ] ",
    #"{"a":1,"b":[{},[]],"":null}"#, "[[[[1]]]]", "\"é€𝄞\u{7F}\"", "\t\r\n1 ", #""\uD800""#,
  ])
  func `valid JSON is skipped to its end`(text: String) {
    #expect(skip(Array(text.utf8)) == nil)
  }

  @Test(arguments: [
    ("", 0), ("[", 1), ("{", 1), ("[1", 2), ("[1,", 3), ("[1,]", 3), ("{\"a\"}", 4), ("{\"a\":}", 5), ("{\"a\":1,}", 7),
    ("{a:1}", 1), ("01", 1), ("-", 1), ("-x", 1), ("1.", 2), (".5", 0), ("1e", 2), ("1e+", 3), ("+1", 0), ("tru", 3),
    ("nulL", 3), ("\"", 1), ("\"\\", 2), ("\"\\x\"", 2), ("\"\\u12g4\"", 5), ("\"\n\"", 1), ("1 2", 2), ("[1 2]", 3),
    ("{\"a\":1 \"b\":2}", 7), ("]", 0), ("[1}", 2), ("{\"a\":1]", 6), ("[1,,2]", 3), ("{1:2}", 1), ("'a'", 0),
  ])
  func `invalid JSON is refused at its first invalid byte`(text: String, offset: Int) {
    #expect(skip(Array(text.utf8))?.offset == offset)
  }

  @Test(
    arguments: [
      [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x28, 0xA1], [0xE2, 0x82, 0x22], [0xFF],
    ] as [[UInt8]])
  func `invalid UTF-8 is refused`(bytes: [UInt8]) {
    #expect(skip([0x22] + bytes + [0x22])?.reason == .invalidUTF8)
  }

  @Test func `a document truncated at any byte is an unexpected end`() {
    let text = Array(#"{"a": [true, null, -1.5e3, "\u00e9€", {"b": false}]}"#.utf8)
    for length in 0..<text.count {
      #expect(skip(Array(text[..<length]))?.reason == .endOfInput, "\(length)")
    }
  }

  @Test func `the nesting limit is checked without recursion`() {
    let limit = ByteReader.maximumDepth
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    #expect(skip(nested(limit)) == nil)
    #expect(skip(nested(limit + 1)) == JSONSyntaxError(offset: limit, reason: .tooDeep))
    let objects = String(repeating: #"{"a":"#, count: 100_000)
    #expect(skip(Array(objects.utf8))?.reason == .tooDeep)
  }

  @Test func `escapes in a string are resolved`() {
    let text = Array(#""\u0074ype\n\uD834\uDD1E\uD800x\uDC00\/""#.utf8)
    text.withUnsafeBytes { bytes in
      let reader = ByteReader(bytes)
      let name = JSONName(range: 1..<(bytes.count - 1), isEscaped: true)
      #expect(reader.text(of: name).hasPrefix("type\n𝄞"))
      #expect(ByteView(bytes).unescaped(name.range).suffix(8) == [0xED, 0xA0, 0x80, 0x78, 0xED, 0xB0, 0x80, 0x2F])
    }
  }
}

@Suite(.enabled(if: Fixtures.directory("jsontestsuite/test_parsing") != nil, "the JSON test suite is not there"))
struct JSONTestSuiteTests {
  @Test func `JSONTestSuite's valid documents are skipped and its invalid ones refused with a position`() throws {
    let directory = try #require(Fixtures.directory("jsontestsuite/test_parsing"))
    let files = try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
    #expect(files.count == 318)
    for file in files {
      let data = try Data(contentsOf: file)
      let error: JSONSyntaxError? = data.withUnsafeBytes { bytes in
        var reader = ByteReader(bytes)
        do throws(JSONSyntaxError) {
          try reader.skipDocument()
          return nil
        } catch {
          return error
        }
      }
      switch file.lastPathComponent.prefix(2) {
      case "y_": #expect(error == nil, "\(file.lastPathComponent)")
      case "n_": #expect(error != nil && error.map { $0.offset <= data.count } == true, "\(file.lastPathComponent)")
      default: break
      }
    }
  }
}
