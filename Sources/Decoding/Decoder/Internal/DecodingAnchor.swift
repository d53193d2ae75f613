/// The target of a keyed container.
final class DecodingAnchor: ContainerAnchor {
  unowned(unsafe) let state: DecodingState
  let scanner: JSONScanner
  private(set) var value: UInt32
  private(set) var node: UInt32
  /// Differs from one object to the next.
  private(set) var turn: UInt32 = 0
  /// What follows paths in the objects; see `DecodingPathKeys`.
  var paths: AnyObject?
  private var kept: DecodingState?

  init(_ state: DecodingState, _ value: UInt32, _ node: UInt32) {
    self.state = state
    scanner = state.scanner
    self.value = value
    self.node = node
  }

  var decoder: BytesDecoder { BytesDecoder(state: state, value: value, node: node) }

  @inline(__always)
  func redirect(to value: UInt32, _ node: Int) {
    self.value = value
    self.node = UInt32(truncatingIfNeeded: node)
    turn &+= 1
  }

  func forget() { if paths != nil { paths = nil } }

  func keepState() { kept = state }
}
