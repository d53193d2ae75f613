import Foundation

/// The first byte says how the rest is cut.
@Sendable func fuzzStream(_ input: [UInt8]) {
  guard let first = input.first else { return }
  let text = Array(input.dropFirst())
  for format: JSONStreamFormat in [.array(at: "$"), .array(at: "a[1]"), .lines, .textSequence] {
    let whole = run(text, format, size: max(text.count, 1))
    let cut = run(text, format, size: Int(first % 17) + 1)
    guard whole.elements == cut.elements, whole.failure?.kind == cut.failure?.kind,
      whole.failure?.position?.offset == cut.failure?.position?.offset
    else {
      found("\(format): \(whole) and, in chunks of \(first % 17 + 1), \(cut)")
    }
  }
  // The elements of an array are those of the decoder, as far as there is a whole document.
  if let array = try? JSONBytesDecoder().decode([AnyValue].self, from: text), !isWide(text) {
    let stream = run(text, .array(at: "$"), size: 3)
    guard stream.failure == nil, stream.elements == array else { found("\(array) is streamed as \(stream)") }
  }
}

private func run(
  _ text: [UInt8], _ format: JSONStreamFormat, size: Int
) -> (elements: [AnyValue], failure: LocatedDecodingError?) {
  var options = JSONElementOptions()
  options.dropLimit = 3
  let source = ElementSource(format: format, options: options, decoder: JSONBytesDecoder())
  var elements: [AnyValue] = []
  var position = 0
  do throws(LocatedDecodingError) {
    while true {
      switch try source.next() {
      case .element(let range):
        do throws(LocatedDecodingError) {
          elements.append(try source.decode(AnyValue.self, range))
        } catch {
          try source.drop(error)
        }
      case .end: return (elements, nil)
      case .needsBytes:
        if position < text.count {
          let end = min(position + size, text.count)
          source.append(Array(text[position..<end]))
          position = end
        } else {
          source.finish()
        }
      }
    }
  } catch {
    return (elements, error)
  }
}
