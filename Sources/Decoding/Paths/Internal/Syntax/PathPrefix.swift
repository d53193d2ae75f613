/// The steps that lead to the object that contains a value. Literals share prefixes, so identity shows that two paths
/// pass through the same object.
final class PathPrefix: Sendable {
  let steps: [PathStep]
  /// The steps as keys, if all of them are names.
  let names: [AnyKey]?

  init(_ steps: some Collection<PathStep>) {
    self.steps = Array(steps)
    names = Self.names(of: steps)
  }

  static func names(of steps: some Collection<PathStep>) -> [AnyKey]? {
    var names: [AnyKey] = []
    for case .name(let name) in steps { names.append(AnyKey(stringValue: name.text)) }
    return names.count == steps.count ? names : nil
  }
}
