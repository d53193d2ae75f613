/// One of a program's commands: what its help says, what it takes, and what it does.
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
  ///   - name: What is typed.
  ///   - words: What follows, as the help shows it: `TITLE`; empty where nothing does.
  ///   - summary: What it does, in one sentence without its full stop.
  ///   - options: Those that only this command has.
  ///   - json: The shape of what it prints with `--json`.
  ///   - standsAlone: Whether it asks no server and uses no store but its own.
  ///   - asksServer: Whether it shows what a server says, and not only what is stored.
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
