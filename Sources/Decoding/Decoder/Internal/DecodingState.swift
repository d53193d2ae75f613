internal import Foundation

/// One decode: owns the scanner's memory and the state that decoders and containers share.
///
/// It is not `Sendable` and is used by one thread at a time, because each call of a decoder gets its own state. The
/// state is reused unless a container or decoder outlives the call. In that case it retains the state, with a copy of
/// the bytes.
final class DecodingState {
  let scanner: JSONScanner
  // Only one thread uses the state, and no access calls other code, so exclusivity needs no checks. The runtime's
  // checks took a tenth of the time for small documents and for types that try several kinds of value.
  @exclusivity(unchecked) private(set) var options: DecodingOptions
  private let types = DecodingTypes { $0 as? any DirectlyDecodable.Type }
  private let containers = ContainerCache<DecodingAnchor>()
  private var kinds: SkipStack
  private var ownBytes: UnsafeMutablePointer<UInt8>?
  @exclusivity(unchecked) var errors = ErrorCache()
  /// The last error that a decoded type itself threw.
  @exclusivity(unchecked) var thrown: ThrownError?
  /// What followed paths last, for the next value; see `NestedRoot`.
  @exclusivity(unchecked) var paths: AnyObject?
  /// The index of lines and columns, created when a value is dropped.
  @exclusivity(unchecked) private var positions: PositionIndex?
  /// The steps to the value that is being decoded, found when one of its values is dropped.
  @exclusivity(unchecked) var rootPlace: RootPlace?
  /// The names of missing members for which super decoders were created.
  @exclusivity(unchecked) var absentNames: [String] = []

  init(options: DecodingOptions = DecodingOptions()) {
    self.options = options
    kinds = SkipStack(capacity: max(options.maximumDepth, 1) + 1)
    let core = UnsafeMutablePointer<ScannerCore>.allocate(capacity: 1)
    core.initialize(
      to: ScannerCore(
        text: ByteView(ByteView.nowhere, count: 0),
        nodes: .allocate(capacity: 64), nodeCapacity: 64,
        arena: .allocate(capacity: 256), arenaCapacity: 256,
        scratch: .allocate(capacity: 256), scratchCapacity: 256,
        numbers: .allocate(capacity: 256), numberCapacity: 256,
        kinds: kinds.kinds, depthLimit: options.maximumDepth, seed: .random(in: 0 ... .max)))
    scanner = JSONScanner(core: core)
    core.pointee.keyConverter = self
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

  /// Sets other options, between two documents.
  func use(_ options: DecodingOptions) {
    self.options = options
    if scanner.core.pointee.depthLimit != options.maximumDepth {
      kinds = SkipStack(capacity: max(options.maximumDepth, 1) + 1)
      scanner.core.pointee.kinds = kinds.kinds
      scanner.core.pointee.depthLimit = options.maximumDepth
    }
  }

  /// Prepares for a document; `text` must remain valid until `end`.
  func begin(_ text: ByteView) {
    let core = scanner.core
    core.pointee.text = text
    scanner.dropNodes()
    core.pointee.lastStart = -1
    core.pointee.fault = -1
    core.pointee.unreadable = -1
    if !absentNames.isEmpty { absentNames.removeAll() }
    if positions != nil { positions = nil }
    if rootPlace != nil { rootPlace = nil }
    core.pointee.isTrusted = options.validation == .trusted
    core.pointee.convertsKeys = options.convertsKeys
    core.pointee.replacesSurrogates = options.replacesUnpairedSurrogates
  }

  /// Ends a decode and returns whether the state can be reused.
  static func end(_ state: inout DecodingState) -> Bool {
    state.containers.release()
    if state.paths != nil { state.paths = nil }
    // The error belongs to the caller, which must be able to free it.
    if state.thrown != nil { state.thrown = nil }
    let core = state.scanner.core
    if isKnownUniquelyReferenced(&state) {
      core.pointee.text = ByteView(ByteView.nowhere, count: 0)
      // Memory that a large document needed is not retained for small ones.
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

  /// Returns an index of lines and columns in the document.
  func makePositions() -> PositionIndex {
    let made = positions ?? PositionIndex()
    positions = made
    return made
  }

  @inline(__always)
  func slot<T>(for type: T.Type) -> DecodingTypes.Slot { types.slot(for: type) }

  @inline(__always)
  func keyedContainer<Key: CodingKey>(_: Key.Type, _ value: UInt32, _ node: Int) -> KeyedDecodingContainer<Key> {
    if isKept { return keptContainer(Key.self, value, node) }
    return containers.container(Key.self) {
      $0.redirect(to: value, node)
    } make: {
      let anchor = DecodingAnchor(self, value, UInt32(truncatingIfNeeded: node))
      return (KeyedDecodingContainer(KeyedBytesContainer<Key>(anchor: anchor)), anchor)
    }
  }

  /// Returns a container for a decoder that outlived its call, so nothing else keeps the state alive.
  @inline(never)
  private func keptContainer<Key: CodingKey>(_: Key.Type, _ value: UInt32, _ node: Int) -> KeyedDecodingContainer<Key> {
    let anchor = DecodingAnchor(self, value, UInt32(truncatingIfNeeded: node))
    anchor.keepState()
    return KeyedDecodingContainer(KeyedBytesContainer<Key>(anchor: anchor))
  }

  /// Whether the call has ended, and something that the document was decoded with still refers to the state.
  @inline(__always)
  var isKept: Bool { ownBytes != nil }
}
