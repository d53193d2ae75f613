/// Parsed string literals by address: a literal's bytes never move, so each is parsed once per program.
///
/// The text is compared on every hit, since an unloaded library could leave its address to another literal.
final class LiteralCache: Sendable {
  static let shared = LiteralCache()

  private struct Entry {
    let utf8: [UInt8]
    let path: CompiledPath
  }

  private let entries = Lock<[UInt: Entry]>([:])

  func path(for literal: StaticString) -> CompiledPath {
    guard literal.hasPointerRepresentation else { return CompiledPath(literal.description) }
    let address = UInt(bitPattern: literal.utf8Start)
    let text = UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
    if let known = entries.withLock({ $0[address] }), known.utf8.elementsEqual(text) {
      return known.path
    }
    let path = CompiledPath(String(decoding: text, as: UTF8.self))
    let entry = Entry(utf8: Array(text), path: path)
    entries.withLock { $0[address] = entry }
    return path
  }
}
