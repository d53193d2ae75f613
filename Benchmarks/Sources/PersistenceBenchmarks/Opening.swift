import BenchmarkSupport
import Foundation
import GRDBPeer
import Persistence
import PersistenceModel

/// A process of its own that opens a store of a hundred classes and fetches one object. It says itself what that took,
/// so that the system's loading of programs is left out.
enum Opening {
  static let argument = "open"
  private static let rows = 100

  static var row: Benchmark {
    let stores = Stores()
    return Benchmark(
      "a new process opens 100 classes and fetches", unit: "ms",
      ours: { try await child("ours", stores.ours()) },
      peers: [Benchmark.Peer("GRDB", must: 0.7, goal: 1) { try await child("grdb", stores.grdb()) }])
  }

  /// What the child does.
  static func open() async -> Never {
    do {
      let url = URL(filePath: CommandLine.arguments[3])
      var rank: Int64?
      let time = try await asyncMilliseconds {
        if CommandLine.arguments[2] == "ours" {
          let container = try await PersistentContainer(at: .file(url), schema: Schema(Part.classes))
          rank = try await container.newContext().perform {
            try $0.first(Part42.self, where: { $0.name == "part 7" })?.rank
          }
        } else {
          rank = try GRDBStore(path: url.path).rank(of: "part 7", in: 42)
        }
      }
      guard rank == 7 else { throw WrongResult("the part has rank \(String(describing: rank))") }
      print(time)
      exit(0)
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  private static func child(_ kind: String, _ file: URL) async throws -> Double {
    guard let executable = Bundle.main.executableURL else { throw CocoaError(.executableNotLoadable) }
    var times: [Double] = []
    for _ in 0..<9 {
      let child = Process()
      let output = Pipe()
      child.executableURL = executable
      child.arguments = [argument, kind, file.path]
      child.standardOutput = output
      try child.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      child.waitUntilExit()
      guard let time = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
        throw WrongResult("the child said \"\(text)\"")
      }
      times.append(time)
    }
    return times.median
  }

  private final class Stores {
    private var workspace: Workspace?
    private var isFilled: Set<String> = []

    private func file(_ name: String) throws -> (url: URL, isNew: Bool) {
      let home = try workspace ?? Workspace()
      workspace = home
      return (home.url(name), isFilled.insert(name).inserted)
    }

    func ours() async throws -> URL {
      let (url, isNew) = try file("ours.store")
      if isNew {
        let container = try await PersistentContainer(at: .file(url), schema: Schema(Part.classes))
        try await container.newContext().persist { objects in
          for type in Part.classes { for row in 1...Opening.rows { fill(objects.insert(type), row) } }
        }
        await container.close()
      }
      return url
    }

    func grdb() throws -> URL {
      let (url, isNew) = try file("grdb.db")
      if isNew {
        let store = try GRDBStore(path: url.path)
        try store.createParts(Part.classes.count, rows: Opening.rows)
        try store.close()
      }
      return url
    }
  }
}

private func fill(_ part: Part, _ row: Int) {
  part.name = "part \(row)"
  part.rank = Int64(row)
  part.weight = 0.5
  part.notes = "notes"
}
