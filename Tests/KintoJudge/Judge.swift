import FetchKit
import Foundation
import LarderTestSupport
import Persistence
import SyncKit

/// Runs two devices, kills them, and compares what they and the server have in the end with what they said.
struct Judge {
  struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ text: String) { description = text }
  }

  let records: URL
  /// The same behind a proxy that cuts connections.
  let cut: URL
  let folder: URL
  private var random = SplitMix.printed()

  init(_ records: URL, cut: URL, in folder: URL) { (self.records, self.cut, self.folder) = (records, cut, folder) }

  mutating func run(seconds: Int) async throws {
    let end = ContinuousClock.now + .seconds(seconds)
    var devices = [try start(1), try start(2)]
    var kills = 0
    while .now < end {
      try await Task.sleep(for: .milliseconds(Int.random(in: 300..<3000, using: &random)))
      let index = Int.random(in: 0..<2, using: &random)
      kill(devices[index].processIdentifier, SIGKILL)
      devices[index].waitUntilExit()
      guard devices[index].terminationReason == .uncaughtSignal else { throw Failure("device \(index + 1) has ended") }
      devices[index] = try start(index + 1)
      kills += 1
    }
    for device in devices {
      kill(device.processIdentifier, SIGKILL)
      device.waitUntilExit()
    }
    let count = try await compare()
    print("\(kills) kills, \(count) entries in the end: none lost, none doubled, none different")
  }

  private mutating func start(_ number: Int) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments = ["device", "\(number)", cut.absoluteString, folder.path, "\(random.next())"]
    try process.run()
    return process
  }

  private func compare() async throws -> Int {
    var devices: [Device] = []
    for number in 1...2 { devices.append(try await Device(number, at: records, in: folder)) }
    var lines: [[String]] = []
    // What the second one sends, the first one reads in the second round.
    for _ in 0..<2 { lines = [try await devices[0].settle(), try await devices[1].settle()] }
    let there = try await contents()
    for (number, here) in lines.enumerated() where here != there {
      let difference = Set(here).symmetricDifference(there).sorted().prefix(5)
      throw Failure("device \(number + 1) and the server differ: \(difference.joined(separator: "\n"))")
    }
    for number in 1...2 { try check(try Log(folder.appending(path: "\(number).log")), there) }
    for device in devices {
      await device.engine.stop()
      await device.container.close()
    }
    return there.count
  }

  private func contents() async throws -> [String] {
    let remote = KintoRemote(client: FetchClient(), url: records)
    var (lines, position): ([String: String], String?) = ([:], nil)
    while true {
      let records = try await remote.records(after: position)
      for record in records { lines["\(record.id)"] = record.isDeleted ? nil : record.line }
      guard let last = records.last, records.count == KintoRemote.pageSize else { return lines.values.sorted() }
      position = "\(last.version)"
    }
  }

  private func check(_ log: Log, _ there: [String]) throws {
    var texts: [String: [String]] = [:]
    for line in there {
      let parts = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      texts[parts[1], default: []].append(parts[2])
    }
    for (title, expected) in log.entries {
      let found = texts[title] ?? []
      if found.count > 1 { throw Failure("\(title) is there \(found.count) times") }
      if found.isEmpty, !expected.mayBeAbsent { throw Failure("\(title) is lost") }
      if let text = found.first, !expected.mayBeThere { throw Failure("\(title) was deleted, and is there: \(text)") }
      if let text = found.first, !expected.texts.contains(text) {
        throw Failure("\(title) has the text \(text), and should have one of \(expected.texts)")
      }
    }
  }
}

/// What a device said about its own entries.
struct Log {
  struct Expected {
    /// What the text may be: the last that was saved, and one that may have been.
    var texts: [String] = []
    var mayBeAbsent = true
    var mayBeThere = true
  }

  private(set) var entries: [String: Expected] = [:]

  init(_ file: URL) throws {
    var intent: [String] = []
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      if line == "done" {
        if !intent.isEmpty { note(intent, isDone: true) }
        intent = []
      } else {
        intent = line.split(separator: " ").map(String.init)
        note(intent, isDone: false)
      }
    }
  }

  private mutating func note(_ intent: [String], isDone: Bool) {
    guard intent.count == 4 else { return }
    var entry = entries[intent[2]] ?? Expected()
    switch (intent[1], isDone) {
    case ("insert", true): entry.mayBeAbsent = false
    case ("delete", true): entry.mayBeThere = false
    case ("delete", false): entry.mayBeAbsent = true
    case ("edit", true): entry.texts = [intent[3]]
    case (_, false): entry.texts.append(intent[3])
    default: break
    }
    entries[intent[2]] = entry
  }
}
