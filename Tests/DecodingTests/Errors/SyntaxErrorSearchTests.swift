import Foundation
import LarderTestSupport
import Testing

@testable import Decoding

/// What a document that is not JSON costs, and says, beyond what decoding it costs.
@Suite struct SyntaxErrorSearchTests {
  static let elements = [
    "1.2345678901", #"{"a":1,"b":{"c":2,"d":[]}}"#, #"[[],[[1,"]\\"]],{}]"#, #""abcdefgh é\n""#,
  ]
  static let ends = [
    (",tru]", "not JSON: expected true, false or null", 1), (" 1]", "not JSON: expected `,` or `]`", 0),
    ("", "not JSON: the document ends too early", 0), (#",{"x":[1,"\q"]}]"#, "not JSON: invalid escape sequence", 3),
    ("]]", "not JSON: expected the end of the document", 0),
    (#",{"x" 1}]"#, "not JSON: expected `:` after a name", 1),
  ]

  @Test(arguments: elements) func `an error at the end of a long document is found by reading few bytes slowly`(
    element: String
  ) {
    let long = "[" + Array(repeating: element, count: 1_000_000 / element.utf8.count).joined(separator: ",")
    for (end, words, steps) in Self.ends {
      let text = long + end
      let failure = #expect(throws: LocatedDecodingError.self) {
        try JSONBytesDecoder().decode(Unread.self, from: Array(text.utf8))
      }
      #expect(failure?.description.contains(words) == true, "\(end): \(failure.map(\.description) ?? "")")
      let offset = failure?.position?.offset ?? 0
      #expect(offset > long.utf8.count - 1)
      Array(text.utf8).withUnsafeBytes { bytes in
        let known = JSONSyntaxError(offset: offset, reason: .unreadable)
        for search in [
          SyntaxErrorSearch(ByteView(bytes), known: known), SyntaxErrorSearch(ByteView(bytes), depthLimit: 512),
        ] {
          #expect(search?.error.offset == offset)
          #expect(search?.steps.count == steps, "\(end)")
          // Behind the document's value there is nothing to read slowly.
          #expect(end == "]]" || offset - (search?.start ?? 0) < 50, "\(end)")
        }
      }
    }
  }

  @Test func `a long string is not read slowly before its invalid character`() {
    let text = Array((#"["\n"# + String(repeating: "a", count: 1_000_000) + #"\q"]"#).utf8)
    text.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, at: 1)
      #expect(throws: JSONSyntaxError(offset: 1_000_005, reason: .invalidEscape)) { try reader.skipString() }
      #expect(SyntaxErrorSearch(ByteView(bytes), depthLimit: 512)?.steps == [.index(0)])
    }
  }

  struct Unread: Decodable { init(from decoder: any Decoder) throws {} }

  @Test func `the error search agrees with one slow pass on thousands of altered documents`() {
    var random = SplitMix.printed()
    let characters = Array(#"{}[],:"\ntrue1-.eé "#.utf8) + [0x01, 0x80, 0xC3]
    var count = 0
    for _ in 0..<4000 {
      var text = Array(RandomDocument(seed: random.next()).text.utf8)
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        let place = Int.random(in: 0...text.count, using: &random)
        let character = characters.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<4, using: &random) {
        case 0: text.insert(character, at: place)
        case 1 where place < text.count: text.remove(at: place)
        case 2: text.removeSubrange(place...)
        default: if place < text.count { text[place] = character }
        }
      }
      text.withUnsafeBytes { bytes in
        let slow = ByteReader(bytes).findSyntaxErrorCarefully()
        let search = SyntaxErrorSearch(ByteView(bytes), depthLimit: 512)
        #expect(search?.error == slow?.error, "\(String(decoding: text, as: UTF8.self))")
        #expect(search?.steps == slow?.steps, "\(String(decoding: text, as: UTF8.self))")
        if slow != nil { count += 1 }
        let failure = decodingError(text)
        #expect((failure?.kind == .malformed) == (slow != nil))
        #expect(failure?.position?.offset == slow?.error.offset)
        #expect(failure?.path.compiled.steps == slow?.steps, "\(String(decoding: text, as: UTF8.self))")
      }
    }
    #expect(count > 2000)
  }

  @Test func `every beginning of a character at the end of a text is cut off or wrong, as a slow pass finds`() {
    var wrong = 0
    for first in UInt8(0x80)...0xFF {
      for second in UInt8.min...0xFF {
        for rest in [[], [0x80], [0xBF], [0x22]] as [[UInt8]] {
          let text = [ASCII.quote, first, second] + rest
          text.withUnsafeBytes { bytes in
            let slow = ByteReader(bytes).findSyntaxErrorCarefully()
            #expect(SyntaxErrorSearch(ByteView(bytes), depthLimit: 512)?.error == slow?.error, "\(text)")
            if slow?.error.reason == .invalidUTF8 { wrong += 1 }
          }
        }
      }
    }
    #expect(wrong > 100_000)
  }

  private func decodingError(_ text: [UInt8]) -> LocatedDecodingError? {
    do throws(LocatedDecodingError) {
      _ = try JSONBytesDecoder().decode(Unread.self, from: text)
      return nil
    } catch {
      return error
    }
  }
}
