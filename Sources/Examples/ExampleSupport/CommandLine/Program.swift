import Foundation

/// A program with commands, most of them over a web API and a store.
public struct Program: Sendable {
  let name: String
  let summary: String
  let service: WebService?
  let commands: [Command]

  /// - Parameters:
  ///   - name: What is typed.
  ///   - summary: What it is for, in a sentence.
  ///   - service: The web API that it talks to, if any.
  ///   - commands: In the order of the help.
  public init(_ name: String, _ summary: String, service: WebService? = nil, commands: [Command]) {
    self.name = name
    self.summary = summary
    self.service = service
    self.commands = commands
  }

  /// Runs the command that the command line asks for. An error becomes one plain sentence on standard error.
  ///
  /// - Returns: Never; exits with 0, with 1 when something failed, with 2 when the command line was wrong.
  public func run(_ arguments: some Sequence<String> = CommandLine.arguments.dropFirst()) async -> Never {
    var command: Command?
    do {
      let options = commands.flatMap(\.options) + commonOptions()
      let parsed = try Arguments(arguments, options: options)
      let columns = Terminal(of: STDOUT_FILENO).readingWidth
      guard let word = parsed.words.first else {
        guard parsed.names.allSatisfy({ $0 == "help" }) else { throw UsageError("which command?") }
        print(help(columns: columns))
        exit(0)
      }
      command = commands.first { $0.name == word }
      guard let command else { throw UsageError("there is no command “\(word)”") }
      if parsed.has("help") {
        print(command.help(of: self, columns: columns))
        exit(0)
      }
      try await command.run(try CommandCall(command, of: self, parsed))
      exit(0)
    } catch let error as UsageError {
      Console.write(TextLayout.printable("\(name): \(error)"), to: .standardError)
      let named = command ?? commands.first { command in arguments.contains(command.name) }
      Console.write("See \(name)\(named.map { " \($0.name)" } ?? "") --help", to: .standardError)
      exit(2)
    } catch {
      Console.write(TextLayout.printable("\(name): \(error.sentence)"), to: .standardError)
      exit(1)
    }
  }

  /// What every command takes; one that stands alone asks no server and leaves the user's store alone.
  func commonOptions(standingAlone: Bool = false) -> [CommandOption] {
    let always = [
      CommandOption("no-color", "print without colours, as in a pipe"),
      CommandOption("json", "print one JSON value and nothing else"), CommandOption("help", "print this"),
    ]
    guard let service, !standingAlone else { return always }
    return [
      CommandOption(
        "base-url URL", "ask this server in place of \(service.liveURL), with the key in \(service.keyVariable)"),
      CommandOption("live", "ask the real service, with the key in \(service.keyVariable)"),
      CommandOption("seed N", "fix the made-up data, which otherwise moves with the clock"),
      CommandOption("store FILE", "keep everything in this file"),
    ] + always
  }

  private func help(columns: Int) -> String {
    var lines = TextLayout.wrap("\(name) \(summary)", columns: columns)
    lines.append("")
    lines += TextLayout.columns(commands.map { ("\(name) \($0.usage)", $0.summary) }, columns: columns)
    lines.append("")
    lines += TextLayout.columns(commonOptions().map { ($0.form, $0.summary) }, columns: columns)
    lines.append("")
    let replica = service.map {
      "Without --live and --base-url a replica of \($0.name) with made-up data runs in this process, and has a store of its "
        + "own. "
    }
    lines += TextLayout.wrap("\(replica ?? "")\(name) COMMAND --help says more.", columns: columns)
    return lines.joined(separator: "\n")
  }
}
