/// A value that a path has reached: where it starts, and how it was reached.
struct PathNode {
  var offset: Int
  var trail: PathTrail?

  func child(_ step: PathTrail.Step, at offset: Int) -> PathNode {
    PathNode(offset: offset, trail: PathTrail(parent: trail, step: step))
  }
}

/// The steps to a value, sharing what leads to its parent.
final class PathTrail {
  enum Step {
    case member(JSONName)
    case element(Int)
  }

  let parent: PathTrail?
  let step: Step

  init(parent: PathTrail?, step: Step) {
    self.parent = parent
    self.step = step
  }
}

extension PathTrail {
  /// The steps from the root of the evaluation, names as text.
  func steps(with reader: ByteReader) -> [PathStep] {
    var steps: [PathStep] = []
    var next: PathTrail? = self
    while let trail = next {
      switch trail.step {
      case .member(let name): steps.append(.name(ByteString(reader.text(of: name))))
      case .element(let index): steps.append(.index(index))
      }
      next = trail.parent
    }
    return steps.reversed()
  }
}
