import FetchKit
public import Foundation

/// A command as it was called: what it was given, whom to tell, and where its data is.
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
      throw UsageError("\(command.name) takes no --\(name)")
    }
    for option in command.options where option.isRequired && !arguments.has(option.name) {
      throw UsageError("\(command.name) takes \(option.form): \(option.summary)")
    }
    let words = arguments.words.count - 1
    if command.words.isEmpty, words > 0 { throw UsageError("\(command.name) takes no words") }
    self.arguments = arguments
    self.program = program
    self.command = command
    choice = try program.service.map { service throws(UsageError) in try ServiceChoice(service, arguments) }
    console = Console(
      json: arguments.has("json"), terminal: Terminal(of: STDOUT_FILENO, plain: arguments.has("no-color")))
    // No server is asked about nothing.
    if !command.words.isEmpty, text.isBlank { throw UsageError("\(command.name) takes \(command.words.lowercased())") }
  }

  /// The words after the command, joined by spaces: a title need not be quoted.
  public var text: String {
    arguments.words.dropFirst().joined(separator: " ").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The value of an option, without space around it.
  ///
  /// - Throws: `UsageError` where nothing is left.
  public func text(_ option: String) throws(UsageError) -> String? {
    guard let value = arguments[option]?.trimmingCharacters(in: .whitespacesAndNewlines) else { return nil }
    guard !value.isBlank else { throw UsageError("--\(option) takes a value that is not empty") }
    return value
  }

  /// The value of an option that takes a whole number in a range.
  public func number(_ option: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    try numbers(option, in: range).first
  }

  /// The values of an option that takes a whole number in a range and may be given several times.
  public func numbers(_ option: String, in range: ClosedRange<Int>) throws(UsageError) -> [Int] {
    var numbers: [Int] = []
    for value in arguments.all(option) {
      guard let number = Int(value), range.contains(number) else {
        throw UsageError("--\(option) takes a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      numbers.append(number)
    }
    return numbers
  }

  /// The value of an option that takes a number greater than 0, fractions allowed.
  public func amount(_ option: String) throws(UsageError) -> Double? {
    guard let value = arguments[option] else { return nil }
    guard let number = Double(value), number > 0, number < 1e9 else {
      throw UsageError("--\(option) takes a number greater than 0")
    }
    return number
  }

  /// The web API that the command line names: a server, the real service, or a replica in this process.
  public func connect() throws -> ServiceAccess {
    guard let service = program.service, let choice else { throw Failure("this program asks no server") }
    announceReplica()
    return try ServiceAccess(service, choice)
  }

  /// The file of the store that the command line names, or the user's own.
  ///
  /// What another server than the real service says has a file of its own.
  ///
  /// - Parameter mustExist: Whether a file named on the command line has to be there already: a mistyped name is better
  ///   refused than taken for an empty store.
  public func store(mustExist: Bool) throws -> URL {
    if let named = arguments["store"] { return try StoreLocation.named(named, mustExist: mustExist) }
    let file = try StoreLocation.own(storeName, announcing: !usesReplica, console)
    announceReplica()
    return file
  }

  /// Says, once, that what the command shows is made up where it is, and where that is kept.
  private func announceReplica() {
    let isFirst = hasAnnounced.withLock { hasAnnounced in
      defer { hasAnnounced = true }
      return !hasAnnounced
    }
    guard let service = program.service, usesReplica, isFirst else { return }
    let what = "Made-up data, by a replica of \(service.name)"
    if arguments["store"] == nil {
      console.note("\(what), kept in \(StoreLocation.description(of: storeName)); --live is the real one.")
    } else if command.asksServer {
      console.note("\(what); --live is the real one.")
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

  /// A server as part of a file's name; its paths are no part of it, so that a slash at the end makes no other store.
  private func serverName(_ url: URL) -> String {
    "\(url.host()?.lowercased() ?? "")-\(url.port ?? (url.scheme?.lowercased() == "http" ? 80 : 443))"
  }
}
