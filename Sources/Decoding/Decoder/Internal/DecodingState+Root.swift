/// Where the value that is being decoded is in its document.
struct RootPlace {
  let offset: Int
  let containers: OpenContainers
  let steps: [PathStep]
}

extension DecodingState {
  /// Returns the steps from the document's root to a value, with the names in the document.
  func documentSteps(to node: Int, _ value: UInt32) -> [PathStep] { rootSteps + steps(to: node, value) }

  /// The steps from the document's root to the value at which decoding started.
  ///
  /// The search continues from the previous value, because all values that a path selects may have values to drop.
  var rootSteps: [PathStep] {
    guard scanner.core.pointee.nodeCount > 0 else { return [] }
    let offset = Int(scanner.node(0).pointee.value)
    if let rootPlace, rootPlace.offset == offset { return rootPlace.steps }
    let text = scanner.text
    let containers =
      if let previous = rootPlace, previous.offset < offset {
        OpenContainers(text, from: previous.offset, inside: previous.containers.containers, to: offset)
      } else {
        OpenContainers(text, from: text.skipSpace(0), to: offset)
      }
    let place = RootPlace(offset: offset, containers: containers, steps: containers.steps(to: offset))
    rootPlace = place
    return place.steps
  }
}
