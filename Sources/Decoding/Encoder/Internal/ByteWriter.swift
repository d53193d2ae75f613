internal import Foundation

/// A growing buffer of bytes.
///
/// Raw memory is written only here in the encoder: each method reserves space before it writes. A copy refers to the
/// same bytes. One owner deallocates them or transfers them to a `Data`.
struct ByteWriter {
  private struct Core {
    var base: UnsafeMutablePointer<UInt8>
    var count: Int
    var capacity: Int
  }

  private let core: UnsafeMutablePointer<Core>

  init(capacity: Int = 512) {
    core = .allocate(capacity: 1)
    core.initialize(to: Core(base: Self.memory(nil, capacity), count: 0, capacity: capacity))
  }

  /// Allocated with `malloc`, so that `Data` can free it.
  private static func memory(_ old: UnsafeMutablePointer<UInt8>?, _ capacity: Int) -> UnsafeMutablePointer<UInt8> {
    guard let new = realloc(old, capacity) else { fatalError("cannot allocate \(capacity) bytes") }
    // Nothing but bytes is ever stored there.
    return new.assumingMemoryBound(to: UInt8.self)
  }

  func deallocate() {
    free(core.pointee.base)
    core.deallocate()
  }

  /// Returns the bytes and their ownership: a few bytes as a copy, many as the memory itself.
  func takeData() -> Data {
    let (base, count) = (core.pointee.base, core.pointee.count)
    core.pointee.count = 0
    guard count > 16384 else { return Data(bytes: base, count: count) }
    core.pointee.capacity = 512
    core.pointee.base = Self.memory(nil, 512)
    return Data(bytesNoCopy: Self.memory(base, count), count: count, deallocator: .free)
  }

  var count: Int {
    @inline(__always) get { core.pointee.count }
  }

  var capacity: Int { core.pointee.capacity }

  /// The last byte; 0 if there is none.
  var last: UInt8 {
    @inline(__always) get { core.pointee.count == 0 ? 0 : core.pointee.base[core.pointee.count &- 1] }
  }

  /// The bytes written so far; valid until more are written.
  var view: ByteView { ByteView(UnsafePointer(core.pointee.base), count: core.pointee.count) }

  /// Removes the bytes after `count`.
  func cut(to count: Int) {
    precondition(count >= 0 && count <= core.pointee.count)
    core.pointee.count = count
  }

  /// Lets `body` write up to `room` bytes; it returns how many it wrote.
  @inline(__always)
  func write(room: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) {
    if core.pointee.capacity &- core.pointee.count < room { grow(by: room) }
    let written = body(core.pointee.base + core.pointee.count)
    assert(written <= room)
    core.pointee.count &+= written
  }

  @inline(never)
  private func grow(by room: Int) {
    let capacity = max(core.pointee.capacity * 2, core.pointee.count + room)
    core.pointee.base = Self.memory(core.pointee.base, capacity)
    core.pointee.capacity = capacity
  }

  @inline(__always)
  func append(_ byte: UInt8) {
    write(room: 1) {
      $0[0] = byte
      return 1
    }
  }

  func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let base = bytes.baseAddress else { return }
    write(room: bytes.count) {
      $0.update(from: base, count: bytes.count)
      return bytes.count
    }
  }

  @inline(__always)
  func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends a string that needs no escapes.
  func append(ascii text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }
}
