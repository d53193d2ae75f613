/// An option of a command, in the form that its help shows.
public struct CommandOption: Sendable {
  let name: String
  /// What the help calls its value; nil for a flag.
  let value: String?
  let summary: String
  let isRequired: Bool
  let isRepeatable: Bool

  /// - Parameters:
  ///   - form: `member NAME` for an option with a value, `json` for a flag.
  ///   - summary: What it does, in a few words.
  ///   - required: Whether the command cannot do without it.
  ///   - repeatable: Whether it may be given several times.
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
