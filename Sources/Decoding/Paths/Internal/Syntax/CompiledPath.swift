/// The parsed form of a path's text, or its error: parsed once and shared by every copy of the path.
final class CompiledPath: Sendable {
  /// Nil for a path created from steps; its segments are its steps.
  private let parsedSegments: [Segment]?
  /// The steps of a singular path; nil for other and for invalid paths.
  let steps: [PathStep]?
  /// For a path that ends with a name: that name and, if the path is singular, the prefix that leads to its object.
  let place: (prefix: PathPrefix?, key: AnyKey)?
  /// The parts of a path that has one filter, that an arbitrary decoder can evaluate, and that ends with a name.
  let filtered: FilteredPlace?
  let error: JSONPathError?
  /// The steps before the first segment that can select several values; they are as strict as a singular path.
  let prefixSteps: [PathStep]
  /// Why an arbitrary decoder cannot evaluate the path; nil if it can.
  let nestingRefusal: String?

  /// - Parameter prefix: Finds or creates the prefix with these steps.
  init(segments: [Segment], prefix: ([PathStep]) -> PathPrefix = { PathPrefix($0) }) {
    parsedSegments = segments
    steps = Self.steps(of: segments)
    place = Self.place(of: segments, steps, prefix: prefix)
    error = nil
    prefixSteps = Self.prefix(of: segments)
    nestingRefusal = JSONPath.refusal(in: segments)
    let mayBeFiltered = steps == nil && place != nil && nestingRefusal == nil
    filtered = mayBeFiltered ? FilteredPlace(segments, prefix: prefix) : nil
  }

  private init(error: JSONPathError) {
    parsedSegments = []
    steps = nil
    place = nil
    filtered = nil
    self.error = error
    prefixSteps = []
    nestingRefusal = nil
  }

  static func parse(
    _ text: String, isKey: Bool = false, prefix: ([PathStep]) -> PathPrefix = { PathPrefix($0) }
  ) -> CompiledPath {
    do throws(JSONPathError) {
      var parser = PathParser(text, isKey: isKey)
      return CompiledPath(segments: try parser.parsePath(), prefix: prefix)
    } catch {
      return CompiledPath(error: error)
    }
  }

  /// Creates the path of a location in a document, as failures contain it, without what only decoding by path needs.
  init(steps: [PathStep]) {
    parsedSegments = nil
    self.steps = steps
    prefixSteps = steps
    place = nil
    filtered = nil
    error = nil
    nestingRefusal = nil
  }

  var segments: [Segment] { parsedSegments ?? (steps ?? []).map(Segment.init) }

  static func steps(of segments: [Segment]) -> [PathStep]? {
    var steps: [PathStep] = []
    for segment in segments {
      guard let step = segment.step else { return nil }
      steps.append(step)
    }
    return steps
  }

  private static func prefix(of segments: [Segment]) -> [PathStep] {
    var steps: [PathStep] = []
    for segment in segments {
      guard let step = segment.step else { break }
      steps.append(step)
    }
    return steps
  }

  private static func place(
    of segments: [Segment], _ steps: [PathStep]?, prefix: ([PathStep]) -> PathPrefix
  ) -> (prefix: PathPrefix?, key: AnyKey)? {
    guard case .name(let last)? = segments.last?.step else { return nil }
    return (steps.map { prefix($0.dropLast()) }, AnyKey(stringValue: last.text))
  }
}
