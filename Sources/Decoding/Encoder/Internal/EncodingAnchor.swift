/// The target of a keyed container. It is redirected to another object once the container is no longer in use.
final class EncodingAnchor: ContainerAnchor {
  unowned(unsafe) let state: EncodingState
  var number: UInt32
  var depth: UInt32
  var suffix: [any CodingKey]
  /// What follows paths from the objects; see `EncodingPathKeys`.
  var paths: AnyObject?
  private var kept: EncodingState?

  init(_ place: ContainerPlace) {
    state = place.state
    number = place.number
    depth = place.depth
    suffix = place.suffix
  }

  var place: ContainerPlace { ContainerPlace(state: state, number: number, depth: depth, suffix: suffix) }

  func forget() { if paths != nil { paths = nil } }

  func keepState() { kept = state }
}
