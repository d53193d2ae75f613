/// The parsed form of a path's text, or its error: parsed once and shared by every copy of the path.
final class CompiledPath: Sendable {
  /// Nil for a path created from steps; its segments are its steps.
  private let parsedSegments: [Segment]?
  /// The steps of a singular path; nil for other and for invalid paths.
  let steps: [PathStep]?
  /// For a path that ends with a name: that name and, if the path is singular, the prefix that leads to its object.
  let place: (prefix: PathPrefix?, key: AnyKey)?
  /// For a path with one filter that an arbitrary decoder can evaluate, and with a name at the end: the prefix that
  /// leads to the value that is filtered, and the segments from the filter on, without the name.
  let filtered: (prefix: PathPrefix, segments: [Segment])?
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
    let rest = segments.dropFirst(prefixSteps.count)
    let isFiltered = if case .filter? = rest.first?.selectors.first { rest.first?.selectors.count == 1 } else { false }
    let hasPlace = place != nil && nestingRefusal == nil && isFiltered && rest.dropFirst().allSatisfy(\.isStep)
    filtered = hasPlace ? (prefix(prefixSteps), Array(rest.dropLast())) : nil
  }

  static func parse(
    _ text: String, isKey: Bool = false, prefix: ([PathStep]) -> PathPrefix = { PathPrefix($0) }
  ) -> CompiledPath {
    do throws(JSONPathError) {
      var parser = PathParser(text, isKey: isKey)
      return CompiledPath(segments: try parser.parsePath(), prefix: prefix)
    } catch {
      return CompiledPath(steps: nil, error: error)
    }
  }

  /// Creates the path of a location in a document, as failures contain it, without what only decoding by path needs.
  init(steps: [PathStep]?, error: JSONPathError? = nil) {
    parsedSegments = nil
    self.steps = steps
    prefixSteps = steps ?? []
    place = nil
    filtered = nil
    self.error = error
    nestingRefusal = nil
  }

  var segments: [Segment] { parsedSegments ?? (steps ?? []).map(Segment.init) }

  /// Returns the steps of segments that all are steps.
  static func steps(of segments: [Segment]) -> [PathStep]? {
    let steps = prefix(of: segments)
    return steps.count == segments.count ? steps : nil
  }

  private static func prefix(of segments: [Segment]) -> [PathStep] {
    segments.lazy.map(\.step).prefix { $0 != nil }.compactMap(\.self)
  }

  private static func place(
    of segments: [Segment], _ steps: [PathStep]?, prefix: ([PathStep]) -> PathPrefix
  ) -> (prefix: PathPrefix?, key: AnyKey)? {
    guard case .name(let last)? = segments.last?.step else { return nil }
    return (steps.map { prefix($0.dropLast()) }, AnyKey(stringValue: last.text))
  }
}
