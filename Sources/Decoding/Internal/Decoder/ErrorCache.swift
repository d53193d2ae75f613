/// What the last errors needed, kept because a type that tries one kind of value after the other fails at the same
/// place several times over.
struct ErrorCache {
  struct Wording: Hashable {
    var type: ObjectIdentifier
    var found: UInt8
  }

  typealias Known = (value: UInt32, path: [any CodingKey])

  /// Error texts by type and by the first byte of what was found.
  var texts: [Wording: String] = [:]
  /// The path asked for last, and that of the container around it.
  var last: Known?
  var container: Known?

  /// Whether a value may have two paths: names are converted for types, and not for dictionaries.
  var isAmbiguous = false

  func path(of value: UInt32) -> [any CodingKey]? {
    guard value != absentValue, !isAmbiguous else { return nil }
    if let last, last.value == value { return last.path }
    if let container, container.value == value { return container.path }
    return nil
  }

  /// Forgets what holds for one document only.
  mutating func forget() {
    last = nil
    container = nil
    isAmbiguous = false
  }
}
