import FetchKit
public import Foundation

/// An invocation of a command, with its arguments, its console and the location of its data.
public struct CommandCall: Sendable {
  public let arguments: Arguments
  public let console: Console
  private let program: Program
  private let command: Command
  private let choice: ServiceChoice?
  private let hasAnnounced = Lock(false)

  init(_ command: Command, of program: Program, _ arguments: Arguments) throws(UsageError) {
    let common = program.commonOptions(standingAlone: command.standsAlone)
    let known = Set((command.options + common).map(\.name))
    if let name = arguments.names.first(where: { !known.contains($0) }) {
      throw UsageError("\(command.name) has no option --\(name)")
    }
    for option in command.options where option.isRequired && !arguments.has(option.name) {
      throw UsageError("\(command.name) needs \(option.form): \(option.summary)")
    }
    let words = arguments.words.count - 1
    if command.words.isEmpty, words > 0 { throw UsageError("\(command.name) accepts no arguments") }
    self.arguments = arguments
    self.program = program
    self.command = command
    choice = try program.service.map { service throws(UsageError) in try ServiceChoice(service, arguments) }
    console = Console(
      json: arguments.has("json"), terminal: Terminal(of: STDOUT_FILENO, plain: arguments.has("no-color")))
    // A server is never queried with empty text.
    if !command.words.isEmpty, text.isBlank {
      throw UsageError("\(command.name) needs an argument: \(command.words.lowercased())")
    }
  }

  /// The words after the command, joined by spaces, so that users can enter a title without quotes.
  public var text: String {
    arguments.words.dropFirst().joined(separator: " ").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Returns the value of an option, without surrounding whitespace.
  ///
  /// - Throws: `UsageError` if the value is blank.
  public func text(_ option: String) throws(UsageError) -> String? {
    guard let value = arguments[option]?.trimmingCharacters(in: .whitespacesAndNewlines) else { return nil }
    guard !value.isBlank else { throw UsageError("--\(option) needs a nonempty value") }
    return value
  }

  /// Returns the value of an option that accepts a whole number in a range.
  public func number(_ option: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    try numbers(option, in: range).first
  }

  /// Returns the values of a repeatable option that accepts whole numbers in a range.
  public func numbers(_ option: String, in range: ClosedRange<Int>) throws(UsageError) -> [Int] {
    var numbers: [Int] = []
    for value in arguments.all(option) {
      guard let number = Int(value), range.contains(number) else {
        throw UsageError("--\(option) needs a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      numbers.append(number)
    }
    return numbers
  }

  /// Returns the value of an option that accepts a number greater than 0. The number can have a fractional part.
  public func amount(_ option: String) throws(UsageError) -> Double? {
    guard let value = arguments[option] else { return nil }
    guard let number = Double(value), number > 0, number < 1e9 else {
      throw UsageError("--\(option) needs a number greater than 0")
    }
    return number
  }

  /// Connects to the web API that is selected on the command line: the real service, a server at another URL, or a
  /// replica in this process.
  public func connect() throws -> ServiceAccess {
    guard let service = program.service, let choice else { throw Failure("this program uses no server") }
    announceReplica()
    return try ServiceAccess(service, choice)
  }

  /// Returns the file of the store named on the command line, or of the user's own store if none is named.
  ///
  /// Data from any server other than the real service is stored in a separate file.
  ///
  /// - Parameter mustExist: Whether a file that is named on the command line has to exist already. If it has to exist,
  ///   a mistyped name is rejected instead of being treated as an empty store.
  public func store(mustExist: Bool) throws -> URL {
    if let named = arguments["store"] { return try StoreLocation.named(named, mustExist: mustExist) }
    let file = try StoreLocation.own(storeName, announcing: !usesReplica, console)
    announceReplica()
    return file
  }

  /// Prints once that the data is made up, where it comes from, and where it is stored.
  private func announceReplica() {
    let isFirst = hasAnnounced.withLock { hasAnnounced in
      defer { hasAnnounced = true }
      return !hasAnnounced
    }
    guard let service = program.service, usesReplica, isFirst else { return }
    let what = "Using made-up data from a replica of \(service.name)"
    if arguments["store"] == nil {
      console.note("\(what), stored in \(StoreLocation.description(of: storeName)); use --live for the real service.")
    } else if command.asksServer {
      console.note("\(what); use --live for the real service.")
    }
  }

  private var usesReplica: Bool { choice?.isReplica ?? false }

  private var storeName: String {
    let server =
      switch choice {
      case .replica?: ".replica"
      case .server(let url, _)?: serverName(url) == liveServerName ? "" : "." + serverName(url)
      case nil: ""
      }
    return "\(program.name.lowercased())\(server).store"
  }

  private var liveServerName: String? { (program.service?.liveURL).flatMap { URL(string: $0) }.map(serverName) }

  /// The server's part of the store's file name. The path is not included, so that a trailing slash does not create
  /// another store.
  private func serverName(_ url: URL) -> String {
    "\(url.host()?.lowercased() ?? "")-\(url.port ?? (url.scheme?.lowercased() == "http" ? 80 : 443))"
  }
}
