internal import Foundation

/// One decode: owns the scanner's memory, and what decoders and containers share.
///
/// Not Sendable, and used by one thread at a time: a decoder hands each call a state of its own. It is kept and used
/// again unless a container or decoder outlives the call; that one then keeps the state, with its own copy of the
/// bytes.
final class DecodingState {
  let scanner: JSONScanner
  private(set) var options: DecodingOptions
  private let types = DecodingTypes { $0 as? any DirectlyDecodable.Type }
  private let containers = ContainerCache<DecodingAnchor>()
  private var kinds: SkipStack
  private var ownBytes: UnsafeMutablePointer<UInt8>?
  var errors = ErrorCache()
  /// The last error of a decoded type's own.
  var thrown: ThrownError?
  /// Lines and columns, once a value was left out.
  private var positions: PositionIndex?
  /// The names of members that super decoders were made for although they are missing.
  var absentNames: [String] = []

  init(options: DecodingOptions = DecodingOptions()) {
    self.options = options
    kinds = SkipStack(capacity: max(options.maximumDepth, 1) + 1)
    let core = UnsafeMutablePointer<ScannerCore>.allocate(capacity: 1)
    core.initialize(
      to: ScannerCore(
        text: ByteView(ByteView.nowhere, count: 0),
        nodes: .allocate(capacity: 64), nodeCapacity: 64,
        arena: allocateZeroed(256), arenaCapacity: 256,
        scratch: allocateZeroed(256), scratchCapacity: 256,
        numbers: allocateZeroed(256), numberCapacity: 256,
        kinds: kinds.kinds, depthLimit: options.maximumDepth, seed: .random(in: 0 ... .max)))
    scanner = JSONScanner(core: core)
    core.pointee.owner = Unmanaged.passUnretained(self)
  }

  deinit {
    let core = scanner.core
    core.pointee.nodes.deallocate()
    core.pointee.arena.deallocate()
    core.pointee.scratch.deallocate()
    core.pointee.numbers.deallocate()
    core.deinitialize(count: 1)
    core.deallocate()
    ownBytes?.deallocate()
  }

  /// Takes other options, between two documents.
  func use(_ options: DecodingOptions) {
    self.options = options
    if scanner.core.pointee.depthLimit != options.maximumDepth {
      kinds = SkipStack(capacity: max(options.maximumDepth, 1) + 1)
      scanner.core.pointee.kinds = kinds.kinds
      scanner.core.pointee.depthLimit = options.maximumDepth
    }
  }

  /// Makes ready for a document; `text` stays valid until `end`.
  func begin(_ text: ByteView) {
    let core = scanner.core
    core.pointee.text = text
    scanner.dropNodes()
    core.pointee.lastStart = -1
    core.pointee.fault = -1
    core.pointee.unreadable = -1
    if !absentNames.isEmpty { absentNames.removeAll() }
    if thrown != nil { thrown = nil }
    if positions != nil { positions = nil }
    core.pointee.isTrusted = options.validation == .trusted
    core.pointee.convertsKeys = options.convertsKeys
  }

  /// Ends a decode and answers whether the state can serve another one.
  static func end(_ state: inout DecodingState) -> Bool {
    state.containers.release()
    let core = state.scanner.core
    if isKnownUniquelyReferenced(&state) {
      core.pointee.text = ByteView(ByteView.nowhere, count: 0)
      // Memory that a large document needed is not kept for small ones.
      return core.pointee.arenaCapacity < 1 << 16 && core.pointee.numberCapacity < 1 << 18
        && core.pointee.scratchCapacity < 1 << 18
    }
    let text = core.pointee.text
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(text.count, 1))
    copy.initialize(from: text.base, count: text.count)
    state.ownBytes = copy
    core.pointee.text = ByteView(UnsafePointer(copy), count: text.count)
    return false
  }

  /// Lines and columns of the document's places.
  func makePositions() -> PositionIndex {
    let made = positions ?? PositionIndex()
    positions = made
    return made
  }

  @inline(__always)
  func slot<T>(for type: T.Type) -> DecodingTypes.Slot { types.slot(for: type) }

  @inline(__always)
  func keyedContainer<Key: CodingKey>(_: Key.Type, _ value: UInt32, _ node: Int) -> KeyedDecodingContainer<Key> {
    containers.container(Key.self) { anchor in
      anchor.value = value
      anchor.node = UInt32(truncatingIfNeeded: node)
    } make: {
      let anchor = DecodingAnchor(self, value, UInt32(truncatingIfNeeded: node))
      return (KeyedDecodingContainer(KeyedBytesContainer<Key>(anchor: anchor)), anchor)
    }
  }
}

private func allocateZeroed<Word: FixedWidthInteger>(_ capacity: Int) -> UnsafeMutablePointer<Word> {
  let memory = UnsafeMutablePointer<Word>.allocate(capacity: capacity)
  memory.initialize(repeating: 0, count: capacity)
  return memory
}
