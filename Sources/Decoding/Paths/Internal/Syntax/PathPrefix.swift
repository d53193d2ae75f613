/// The steps that lead to the object that contains a value. Literals share prefixes, so identity shows that two paths
/// pass through the same object.
final class PathPrefix: Sendable {
  let steps: [PathStep]
  /// The steps as keys, if all of them are names.
  let names: [AnyKey]?

  init(_ steps: some Collection<PathStep>) {
    self.steps = Array(steps)
    var names: [AnyKey] = []
    for case .name(let name) in steps { names.append(AnyKey(stringValue: name.text)) }
    self.names = names.count == steps.count ? names : nil
  }
}
