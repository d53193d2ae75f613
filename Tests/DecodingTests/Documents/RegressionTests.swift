import Foundation
import Testing

@testable import Decoding

/// Texts on which something was once wrong, or might easily be; all go through every way of reading.
@Suite struct RegressionTests {
  static let corpus: [String] = [
    "[[0:", "[1,", "[0", "[-", "[1.", "[1e", "[\"", "[\"\\", "[\"\\u12", "{\"", "{\"a", "{\"a\"", "{\"a\":",
    "{\"a\":1,", "{,", "[,1]",
    "n", "nul", "nulll", "[n\u{91}]", "tru", "falsf", "\u{1E}", "\u{1E}1", "\u{1E}[1]\u{1E}", "", " ", "\n\n",
    "\u{FEFF}", "\u{FEFF}1",
    "[\"\\ud800\\u0041\"]", "[\"\\udc00\"]", "{\"\\ud800\":1}", "[\"é\\\"]", "[1 ,2 , 3 ]",
    "{\"a\" : {\"b\":[[],[{}]]} , \"a\":[7,[8]]}",
    "[0e1,-0,1E+2,0.000000000000000000000000000000001,123456789012345678901234567890]", "[[[[[[[[[[]]]]]]]]]]", "[}",
    "{]", "[{]}", "[\"]\",\"}\"]",
    "[\"\\\\\"]", "[\"\\\\\\\"\"]", "\"0123456789abcdef0123456789abcdef\\", "{\"a\":[5,[1,\"é漢😀\"],{\"x\":null}]}",
    "[{\\\"}" + String(repeating: " ", count: 70), "[{\\\\\"}" + String(repeating: " ", count: 70),
    String(repeating: "[", count: 600),
    String(repeating: "[\"\\\\\",", count: 40) + "1" + String(repeating: "]", count: 40),
  ]

  static let inputs: [[UInt8]] =
    corpus.map { Array($0.utf8) } + [
      [0x5B, 0x6E, 0x91, 0x91, 0xFF], [0x22, 0xE6, 0xBC, 0x22], [0x22, 0xF0, 0x9F, 0x98], [0xEF, 0xBB],
      [0xFF, 0xFE, 0x00, 0x00], [0x00],
      [0x31, 0x00], [0x5B, 0x22, 0xC3, 0xA9, 0x22, 0x5D, 0x80],
    ]

  private func stream(
    _ text: [UInt8], _ format: JSONStreamFormat, size: Int
  ) -> (elements: [AnyValue], kind: LocatedDecodingError.Kind?, offset: Int?) {
    var options = JSONElementOptions()
    options.dropLimit = 2
    let source = ElementSource(format: format, options: options, decoder: JSONBytesDecoder())
    var elements: [AnyValue] = []
    var position = 0
    do throws(LocatedDecodingError) {
      while true {
        switch try source.next() {
        case .end: return (elements, nil, nil)
        case .element(let range):
          do throws(LocatedDecodingError) {
            elements.append(try source.decode(AnyValue.self, range))
          } catch {
            try source.drop(error)
          }
        case .needsBytes:
          guard position < text.count else {
            source.finish()
            continue
          }
          let end = min(position + size, text.count)
          source.append(Array(text[position..<end]))
          position = end
        }
      }
    } catch {
      return (elements, error.kind, error.position?.offset)
    }
  }

  @Test(arguments: inputs) func `each regression input decodes the same as a stream in any chunks`(text: [UInt8]) {
    for format: JSONStreamFormat in [.array(at: "$"), .array(at: "a[1]"), .lines, .textSequence] {
      let whole = stream(text, format, size: max(text.count, 1))
      for size in 1...4 {
        let cut = stream(text, format, size: size)
        #expect(cut.elements == whole.elements)
        #expect(cut.kind == whole.kind)
        #expect(cut.offset == whole.offset)
      }
    }
  }

  @Test(arguments: inputs) func `each regression input that decodes can be skipped, and Foundation agrees`(
    text: [UInt8]
  ) {
    let data = Data(text)
    let decoder = JSONBytesDecoder()
    let read = try? decoder.decode(AnyValue.self, from: data)
    if read != nil {
      #expect(throws: Never.self) { try decoder.decode(Ignored.self, from: data) }
      #expect((try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil)
    }
    _ = try? decoder.decode([[Double]].self, from: data)
    _ = try? decoder.decode([Int].self, from: data)
    _ = try? decoder.decode([String].self, from: data)
    _ = try? decoder.decode([String: Double].self, from: data)
    decoder.validation = .trusted
    _ = try? decoder.decode(Ignored.self, from: data)
    _ = try? decoder.decode([String: AnyValue].self, from: data)
    _ = try? JSONDocument(data, validation: .trusted).values(AnyValue.self, at: "a[*]")
  }
}
