/// A coding key for any name or index: three words, so that decoders, which keep keys as existentials, need no box for
/// it.
struct AnyKey: CodingKey {
  let stringValue: String
  /// The least integer for a name; nothing counts down to there.
  private let index: Int

  init(stringValue: String) {
    self.stringValue = stringValue
    index = .min
  }

  init(intValue: Int) {
    stringValue = "\(intValue)"
    index = intValue
  }

  var intValue: Int? { index == .min ? nil : index }
}

extension AnyKey: Hashable {
  /// Whether both are the same index, or names of the same bytes.
  static func == (left: AnyKey, right: AnyKey) -> Bool {
    left.index == right.index && left.stringValue.hasSameBytes(as: right.stringValue)
  }

  /// By bytes as well: names that differ in their Unicode form only would all have the same hash otherwise.
  func hash(into hasher: inout Hasher) { hasher.combineBytes(of: stringValue) }
}
