/// A parsed command line, which contains words, `--name VALUE` options and `--name` flags in any order.
///
/// The form `--name=VALUE` is also accepted. All arguments after `--` are words, so that a title can begin with a dash.
public struct Arguments: Sendable {
  public private(set) var words: [String] = []
  private var values: [String: [String]] = [:]

  /// - Parameters:
  ///   - arguments: The command-line arguments after the program's name.
  ///   - options: The known options.
  /// - Throws: `UsageError` for an unknown option, a missing value, or a repeated option that is not repeatable.
  public init(_ arguments: some Sequence<String>, options: [CommandOption]) throws(UsageError) {
    var iterator = arguments.makeIterator()
    while let argument = iterator.next() {
      if argument == "--" {
        while let word = iterator.next() { words.append(word) }
      } else if argument.hasPrefix("--") {
        let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = options.first(where: { $0.name == name }) else {
          throw UsageError("unknown option --\(name)")
        }
        if option.value == nil {
          guard parts.count == 1 else { throw UsageError("--\(name) does not accept a value") }
          values[name] = []
        } else {
          guard let value = parts.count == 2 ? String(parts[1]) : iterator.next() else {
            throw UsageError("--\(name) needs a value")
          }
          guard option.isRepeatable || values[name] == nil else { throw UsageError("--\(name) can be given only once") }
          values[name, default: []].append(value)
        }
      } else {
        words.append(argument)
      }
    }
  }

  /// The names of all options and flags on the command line.
  var names: [String] { values.keys.sorted() }

  public func has(_ name: String) -> Bool { values[name] != nil }

  public subscript(option: String) -> String? { values[option]?.first }

  public func all(_ option: String) -> [String] { values[option] ?? [] }
}
