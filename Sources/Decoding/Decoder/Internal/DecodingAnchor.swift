/// The target of a keyed container.
final class DecodingAnchor: ContainerAnchor {
  unowned(unsafe) let state: DecodingState
  let scanner: JSONScanner
  var value: UInt32
  var node: UInt32
  /// What follows paths in the object.
  var paths: AnyObject?
  private var kept: DecodingState?

  init(_ state: DecodingState, _ value: UInt32, _ node: UInt32) {
    self.state = state
    scanner = state.scanner
    self.value = value
    self.node = node
  }

  func forget() { if paths != nil { paths = nil } }

  func keepState() { kept = state }
}
