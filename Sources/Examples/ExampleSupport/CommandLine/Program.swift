import Foundation

/// A command-line program with several commands. Most commands use a web API and a store.
public struct Program: Sendable {
  let name: String
  let summary: String
  let service: WebService?
  let commands: [Command]

  /// - Parameters:
  ///   - name: The name on the command line.
  ///   - summary: The purpose of the program, in one sentence.
  ///   - service: The web API that the program uses, if any.
  ///   - commands: The commands, in the order in which the help lists them.
  public init(_ name: String, _ summary: String, service: WebService? = nil, commands: [Command]) {
    self.name = name
    self.summary = summary
    self.service = service
    self.commands = commands
  }

  /// Runs the command that is named on the command line. An error is printed to standard error as one plain sentence.
  ///
  /// - Returns: Never. The process exits with 0 on success, 1 on failure, and 2 if the command line is wrong.
  public func run(_ arguments: some Sequence<String> = CommandLine.arguments.dropFirst()) async -> Never {
    var command: Command?
    do {
      let options = commands.flatMap(\.options) + commonOptions()
      let parsed = try Arguments(arguments, options: options)
      let columns = Terminal(of: STDOUT_FILENO).readingWidth
      guard let word = parsed.words.first else {
        guard parsed.names.allSatisfy({ $0 == "help" }) else { throw UsageError("no command given") }
        print(help(columns: columns))
        exit(0)
      }
      command = commands.first { $0.name == word }
      guard let command else { throw UsageError("unknown command “\(word)”") }
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

  /// The options of every command. A command that stands alone uses neither a server nor the user's store.
  func commonOptions(standingAlone: Bool = false) -> [CommandOption] {
    let always = [
      CommandOption("no-color", "print without colors, as in a pipe"),
      CommandOption("json", "print one JSON value and nothing else"), CommandOption("help", "print this help"),
    ]
    guard let service, !standingAlone else { return always }
    return [
      CommandOption(
        "base-url URL", "use this server instead of \(service.liveURL), with the key in \(service.keyVariable)"),
      CommandOption("live", "use the real service, with the key in \(service.keyVariable)"),
      CommandOption("seed N", "use constant data for this seed; otherwise the made-up data changes over time"),
      CommandOption("store FILE", "store all data in this file"),
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
      "Without --live or --base-url, a replica of \($0.name) with made-up data runs in this process and uses a "
        + "separate store. "
    }
    lines += TextLayout.wrap("\(replica ?? "")Run \(name) COMMAND --help for details.", columns: columns)
    return lines.joined(separator: "\n")
  }
}
