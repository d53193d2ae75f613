import Foundation

/// Runs benchmarks as the command line asks: `[--json FILE] [--rounds N] [--only TEXT]`.
///
/// Prints one line per row as it is known, and goes on after one that cannot run. The exit code says whether everything
/// ran, never whether we won.
public func runBenchmarks(_ title: String, _ benchmarks: [Benchmark]) async -> Never {
  do {
    let options = try Options(CommandLine.arguments.dropFirst())
    print("\(title) · release · \(options.rounds) rounds, medians · ratio: peer ÷ ours, above 1 ours wins")
    var rows: [Row] = []
    var hasFailed = false
    for benchmark in benchmarks where options.only.map(benchmark.work.contains) ?? true {
      do {
        let new = try await benchmark.rows(rounds: options.rounds)
        new.forEach { print($0.line) }
        rows += new
      } catch {
        hasFailed = true
        print("\(benchmark.work)  could not run: \(error)")
      }
      fflush(nil)
    }
    if let file = options.json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes]
      try encoder.encode(rows).write(to: URL(filePath: file))
    }
    exit(hasFailed ? 1 : 0)
  } catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
  }
}

private struct Options {
  var json: String?
  var only: String?
  var rounds = 5

  init(_ arguments: ArraySlice<String>) throws {
    var rest = arguments
    while let name = rest.popFirst() {
      guard let value = rest.popFirst() else { throw Usage(text: "\(name) takes a value") }
      switch name {
      case "--json": json = value
      case "--only": only = value
      case "--rounds":
        guard let count = Int(value), count >= 5 else { throw Usage(text: "--rounds takes a number from 5") }
        rounds = count
      default: throw Usage(text: "unknown option \(name)")
      }
    }
  }

  struct Usage: Error, CustomStringConvertible {
    let text: String
    var description: String { "\(text); options: [--json FILE] [--rounds N] [--only TEXT]" }
  }
}

extension Row {
  fileprivate var line: String {
    func number(_ value: Double?) -> String { value.map { String(format: "%.2f", $0) } ?? "–" }
    let name = work.padding(toLength: max(44, work.count), withPad: " ", startingAt: 0)
    let mine = "\(number(ours)) \(unit)"
    let against = peer.map { "\($0) \(number(peerValue)) \(unit), ratio \(number(ratio))" } ?? "absolute"
    return "\(name)  ours \(mine) · \(against) · must \(number(must)), goal \(number(goal)) · \(met ? "met" : "MISSED")"
  }
}

/// What `body` took, in milliseconds of the monotonic clock.
public func milliseconds(_ body: () throws -> Void) rethrows -> Double {
  try ContinuousClock().measure(body) / .milliseconds(1)
}

/// What `body` took, in milliseconds of the monotonic clock.
public func asyncMilliseconds(_ body: () async throws -> Void) async rethrows -> Double {
  try await ContinuousClock().measure(body) / .milliseconds(1)
}

/// A result that does not hold: benchmarks check what was done, so that nothing fast and wrong is reported.
public struct WrongResult: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) {
    self.description = description
  }
}
