/// A command of a program, with its help, options and action.
public struct Command: Sendable {
  let name: String
  let words: String
  let summary: String
  let options: [CommandOption]
  let json: String
  let standsAlone: Bool
  let asksServer: Bool
  let run: @Sendable (CommandCall) async throws -> Void

  /// - Parameters:
  ///   - name: The name on the command line.
  ///   - words: The arguments as the help shows them, such as `TITLE`, or an empty string if the command has no
  ///     arguments.
  ///   - summary: What the command does, in one sentence without a period.
  ///   - options: The options that only this command has.
  ///   - json: The structure of the output with `--json`, as the help shows it.
  ///   - standsAlone: Whether the command uses neither a server nor the user's store. The command can still use a store
  ///     of its own.
  ///   - asksServer: Whether the command requests data from a server instead of showing only stored data.
  public init(
    _ name: String, _ words: String = "", _ summary: String, options: [CommandOption] = [], json: String,
    standsAlone: Bool = false, asksServer: Bool = false, run: @escaping @Sendable (CommandCall) async throws -> Void
  ) {
    self.name = name
    self.words = words
    self.summary = summary
    self.options = options
    self.json = json
    self.standsAlone = standsAlone
    self.asksServer = asksServer
    self.run = run
  }

  /// `add TITLE --member NAME [--pick N]`
  var usage: String {
    ([name, words].filter { !$0.isEmpty } + options.map(\.usage)).joined(separator: " ")
  }

  func help(of program: Program, columns: Int) -> String {
    var lines = TextLayout.wrap("\(program.name) \(usage)", columns: columns, hanging: "    ")
    lines.append("")
    lines += TextLayout.wrap(summary + ".", columns: columns)
    lines.append("")
    let all = options + program.commonOptions(standingAlone: standsAlone)
    lines += TextLayout.columns(all.map { ($0.form, $0.summary) }, columns: columns)
    lines.append("")
    lines.append("With --json it prints")
    lines += TextLayout.wrap(json, columns: columns, indent: "  ")
    return lines.joined(separator: "\n")
  }
}
