/// What a call of a container answered, in a form that can be compared between two decoders.
indirect enum Outcome {
  case value(String)
  /// A failure; without a path where a decoder does not say it.
  case failure(String, path: String?)
  case elements([Outcome])
  case members([String: Outcome])
  case call(String, Outcome)

  init(_ value: Any) {
    switch value {
    case let played as Played: self = .elements(played.outcomes)
    case let members as [String: Any]: self = .members(members.mapValues { Outcome($0) })
    case let members as [Int: Any]:
      self = .members([String: Outcome](uniqueKeysWithValues: members.map { ("\($0.key)", Outcome($0.value)) }))
    case let set as Set<Int>: self = .elements(set.sorted().map { .value("\($0)") })
    case let elements as [Any]: self = .elements(elements.map { Outcome($0) })
    default:
      let mirror = Mirror(reflecting: value)
      if mirror.displayStyle == .optional {
        self = mirror.children.first.map { Outcome($0.value) } ?? .value("nil")
      } else {
        self = .value("\(value) as \(type(of: value))")
      }
    }
  }

  init(failure error: any Error) {
    func path(_ context: DecodingError.Context) -> String { codingPathText(context.codingPath) }
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      self = .failure("no \(key.stringValue)", path: path(context))
    case DecodingError.valueNotFound(let type, let context): self = .failure("no value of \(type)", path: path(context))
    case DecodingError.typeMismatch(let type, let context): self = .failure("not \(type)", path: path(context))
    case DecodingError.dataCorrupted(let context):
      // Foundation's loses the path of a string that holds half of a surrogate pair.
      self = .failure("corrupted", path: context.codingPath.isEmpty ? nil : path(context))
    case is PlayedError: self = .failure("thrown by the type", path: nil)
    default:
      // Foundation has an error of its own, without a path, for a number that does not fit.
      self = .failure("corrupted", path: nil)
    }
  }

  /// The calls that lead to the first difference, with both answers; nil where there is none.
  func difference(from other: Outcome) -> String? {
    switch (self, other) {
    case (.value(let left), .value(let right)) where left == right: return nil
    // Foundation takes null for a wrong type where a Bool is asked for.
    case (.failure(let left, let leftPath), .failure(let right, let rightPath))
    where left == right || left == "not Bool" && right == "no value of Bool":
      guard let leftPath, let rightPath, leftPath != rightPath else { return nil }
      // Of a number that does not fit, Foundation's knows at most the value around it, or as which element it was
      // asked.
      if left == "corrupted", rightPath.hasPrefix(leftPath) || leftPath.hasSuffix("/-1") { return nil }
    case (.elements(let left), .elements(let right)):
      for (index, (left, right)) in zip(left, right).enumerated() {
        guard let difference = left.difference(from: right) else { continue }
        let before = index > 0 ? "\n  after \(self.calls(before: index))" : ""
        return difference + before
      }
      if left.count == right.count { return nil }
    case (.members(let left), .members(let right)):
      for name in left.keys.sorted() {
        guard let other = right[name] else { break }
        if let difference = left[name]?.difference(from: other) { return difference }
      }
      if left.keys == right.keys { return nil }
    case (.call(let left, let leftAnswer), .call(let right, let rightAnswer)) where left == right:
      return leftAnswer.difference(from: rightAnswer).map { "\(left):\n  \($0)" }
    default: break
    }
    return "\(self) and \(other)"
  }

  private func calls(before index: Int) -> String {
    guard case .elements(let elements) = self else { return "" }
    return elements[..<index].map { if case .call(let name, _) = $0 { name } else { "…" } }.joined(separator: "; ")
  }
}

/// A path as text; an index is its number, which decoders write in two ways.
func codingPathText(_ path: [any CodingKey]) -> String {
  path.map { $0.stringValue.replacing("Index ", with: "") }.joined(separator: "/")
}
