/// An option of a command, and its description in the help.
public struct CommandOption: Sendable {
  let name: String
  /// The name of the value in the help, or nil for a flag.
  let value: String?
  let summary: String
  let isRequired: Bool
  let isRepeatable: Bool

  /// - Parameters:
  ///   - form: The option as the help shows it, without `--`, such as `member NAME` for an option with a value or
  ///     `json` for a flag.
  ///   - summary: What the option does, in a few words.
  ///   - required: Whether the command needs the option.
  ///   - repeatable: Whether the option can be given several times.
  public init(_ form: String, _ summary: String, required: Bool = false, repeatable: Bool = false) {
    let parts = form.split(separator: " ", maxSplits: 1)
    name = String(parts[0])
    value = parts.count == 2 ? String(parts[1]) : nil
    self.summary = summary
    isRequired = required
    isRepeatable = repeatable
  }

  /// `--member NAME`
  var form: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }

  /// `--member NAME` or `[--pick N]` or `[--add N]…`
  var usage: String { (isRequired ? form : "[\(form)]") + (isRepeatable ? "…" : "") }
}
