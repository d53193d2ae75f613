/// What a path's text means, or why it means nothing: parsed once, shared by every copy of the path.
final class CompiledPath: Sendable {
  let segments: [Segment]
  /// The steps of a singular path; nil for others and for one that is wrong.
  let steps: [PathStep]?
  /// For a path of names alone, and at least one: the way to the object that holds the value, and the name there.
  let place: (prefix: PathPrefix, key: AnyKey)?
  let error: JSONPathError?

  convenience init(_ text: String) {
    self.init(text, prefix: PathPrefix.init)
  }

  /// - Parameter prefix: Finds or makes the prefix of these steps.
  init(_ text: String, prefix: ([PathStep]) -> PathPrefix) {
    do throws(JSONPathError) {
      var parser = PathParser(text)
      let segments = try parser.parsePath()
      let steps = Self.steps(of: segments)
      self.segments = segments
      self.steps = steps
      place = Self.place(of: steps, prefix: prefix)
      error = nil
    } catch {
      segments = []
      steps = nil
      place = nil
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
    place = Self.place(of: steps, prefix: PathPrefix.init)
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

  private static func place(
    of steps: [PathStep]?, prefix: ([PathStep]) -> PathPrefix
  ) -> (prefix: PathPrefix, key: AnyKey)? {
    guard let steps, case .name(let last)? = steps.last else { return nil }
    for case .index in steps { return nil }
    return (prefix(steps.dropLast()), AnyKey(stringValue: last.text))
  }
}
