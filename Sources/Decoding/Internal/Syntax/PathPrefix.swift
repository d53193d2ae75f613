/// The names that lead to the object which holds a value. Literals share them, so that identity tells that two paths
/// go through the same object.
final class PathPrefix: Sendable {
  let steps: [PathStep]

  init(_ steps: [PathStep]) {
    self.steps = steps
  }
}
