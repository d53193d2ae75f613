/// A command line taken apart: words, `--name VALUE` options and `--name` flags, in any order.
///
/// `--name=VALUE` works too, and `--` ends the options, so that a title may begin with a dash.
public struct Arguments: Sendable {
  public private(set) var words: [String] = []
  private var values: [String: String] = [:]
  private var flags: Set<String> = []

  /// - Parameters:
  ///   - arguments: The words after the program's name.
  ///   - options: Names that take a value.
  ///   - known: Names that take none.
  /// - Throws: `UsageError` for an unknown name, a missing value, or an option given twice.
  public init(_ arguments: some Sequence<String>, options: Set<String>, flags known: Set<String>) throws(UsageError) {
    var iterator = arguments.makeIterator()
    while let argument = iterator.next() {
      if argument == "--" {
        while let word = iterator.next() { words.append(word) }
      } else if argument.hasPrefix("--") {
        let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        if known.contains(name), parts.count == 1 {
          flags.insert(name)
        } else if options.contains(name) {
          guard let value = parts.count == 2 ? String(parts[1]) : iterator.next() else {
            throw UsageError("--\(name) takes a value")
          }
          guard values.updateValue(value, forKey: name) == nil else { throw UsageError("--\(name) is given twice") }
        } else {
          throw UsageError("unknown option --\(name)")
        }
      } else {
        words.append(argument)
      }
    }
  }

  public func has(_ flag: String) -> Bool { flags.contains(flag) }

  public subscript(option: String) -> String? { values[option] }
}
