/// What a path's text means, or why it means nothing: parsed once, shared by every copy of the path.
final class CompiledPath: Sendable {
  let segments: [Segment]
  /// The steps of a singular path; nil for others and for one that is wrong.
  let steps: [PathStep]?
  /// The coding keys of a singular path that consists of names alone.
  let keys: [AnyKey]?
  let error: JSONPathError?

  init(_ text: String) {
    do throws(JSONPathError) {
      var parser = PathParser(text)
      let segments = try parser.parsePath()
      let steps = Self.steps(of: segments)
      self.segments = segments
      self.steps = steps
      keys = steps.flatMap(Self.keys)
      error = nil
    } catch {
      segments = []
      steps = nil
      keys = nil
      self.error = error
    }
  }

  init(steps: [PathStep]) {
    segments = steps.map { step in
      switch step {
      case .name(let name): Segment(selectors: [.name(name)])
      case .index(let index): Segment(selectors: [.index(index)])
      }
    }
    self.steps = steps
    keys = Self.keys(of: steps)
    error = nil
  }

  static func steps(of segments: [Segment]) -> [PathStep]? {
    var steps: [PathStep] = []
    for segment in segments {
      guard let step = segment.step else { return nil }
      steps.append(step)
    }
    return steps
  }

  private static func keys(of steps: [PathStep]) -> [AnyKey]? {
    var keys: [AnyKey] = []
    for case .name(let name) in steps {
      keys.append(AnyKey(stringValue: name.text))
    }
    return keys.count == steps.count ? keys : nil
  }
}
