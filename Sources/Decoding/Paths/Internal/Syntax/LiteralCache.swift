/// Parsed string literals by address. A literal's bytes never move, so each is parsed once per program.
///
/// The text is compared on every hit, because a library that was unloaded could leave its address to another literal.
final class LiteralCache: Sendable {
  static let shared = LiteralCache()

  private let table = Lock(LiteralTable())

  func path(for literal: StaticString) -> CompiledPath {
    guard literal.hasPointerRepresentation else { return CompiledPath.parse(literal.description) }
    let text = UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
    if let known = table.withLock({ $0.path(at: literal.utf8Start, text) }) { return known }
    // Parsing happens outside the lock. If two threads miss at the same time, one of them parses in vain.
    let path = CompiledPath.parse(String(decoding: text, as: UTF8.self)) { steps in
      table.withLock { $0.prefix(steps) }
    }
    table.withLock { $0.insert(path, at: literal.utf8Start, text) }
    return path
  }
}

/// A hash table by address with open addressing. It takes half the time of a dictionary, which is the whole cost of
/// using a literal.
private struct LiteralTable {
  private struct Entry {
    let address: UInt
    let text: [UInt8]
    let path: CompiledPath
  }

  private var slots: [Entry?] = Array(repeating: nil, count: 256)
  private var count = 0
  private var prefixes: [[PathStep]: PathPrefix] = [:]

  func path(at start: UnsafePointer<UInt8>, _ text: UnsafeRawBufferPointer) -> CompiledPath? {
    let address = UInt(bitPattern: start)
    var slot = firstSlot(for: address)
    while let entry = slots[slot] {
      if entry.address == address, entry.text.count == text.count,
        entry.text.withUnsafeBytes({ ByteView($0).matches(0, ByteView(text)) })
      {
        return entry.path
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  mutating func insert(_ path: CompiledPath, at start: UnsafePointer<UInt8>, _ text: UnsafeRawBufferPointer) {
    if count * 2 >= slots.count {
      let old = slots
      slots = Array(repeating: nil, count: old.count * 2)
      for case let entry? in old { place(entry) }
    }
    count += 1
    place(Entry(address: UInt(bitPattern: start), text: Array(text), path: path))
  }

  mutating func prefix(_ steps: [PathStep]) -> PathPrefix {
    if let known = prefixes[steps] { return known }
    let prefix = PathPrefix(steps)
    prefixes[steps] = prefix
    return prefix
  }

  private mutating func place(_ entry: Entry) {
    var slot = firstSlot(for: entry.address)
    while slots[slot] != nil { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = entry
  }

  private func firstSlot(for address: UInt) -> Int {
    Int(truncatingIfNeeded: (address &* 0x9E37_79B9_7F4A_7C15) >> 32) & (slots.count - 1)
  }
}
