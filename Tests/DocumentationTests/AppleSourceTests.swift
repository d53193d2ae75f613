import Foundation
import LarderTestSupport
import Testing

/// Mistakes that only a compiler or a review on Apple's platforms would find, found in the text of the sources.
@Suite struct AppleSourceTests {
  private struct Source {
    let path: String
    let lines: [Substring]
  }

  private static func sources(below folder: String) throws -> [Source] {
    let root = Compiler.packageRoot.appending(path: folder)
    let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    var found: [Source] = []
    while let file = files?.nextObject() as? URL {
      // This file has an example of each mistake.
      guard file.pathExtension == "swift", file.lastPathComponent != "AppleSourceTests.swift" else { continue }
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
      found.append(Source(path: file.lastPathComponent, lines: lines))
    }
    return found
  }

  // Names of Objective-C

  /// Properties and methods without parameters of `NSObject` and `NSOperation` that Swift knows by another name, or
  /// that only an override may declare.
  private static let taken: Set<String> = [
    "asynchronous", "attributeKeys", "autorelease", "cancel", "cancelled", "classForCoder", "classForKeyedArchiver",
    "className", "completionBlock", "concurrent", "copy", "dealloc", "debugDescription", "dependencies", "description",
    "executing", "finalize", "finished", "hash", "isAsynchronous", "isCancelled", "isConcurrent", "isExecuting",
    "isFinished", "isProxy", "isReady", "main", "mutableCopy", "name", "observationInfo", "qualityOfService",
    "queuePriority", "ready", "release", "retain", "retainCount", "start", "superclass", "threadPriority",
    "waitUntilFinished", "zone",
  ]

  /// Classes that inherit from Objective-C, directly or through one of ours.
  private static func classes(in sources: [Source]) -> Set<String> {
    var found: Set<String> = ["Operation", "NSObject", "AsyncOperation"]
    var count = 0
    let lines = sources.flatMap(\.lines).filter { $0.contains("class ") && $0.contains(": ") }
    while count != found.count {
      count = found.count
      for line in lines {
        guard let match = line.firstMatch(of: #/\bclass (\w+)(?:<.*?>)?: (?:@unchecked )?(\w+)/#) else { continue }
        if found.contains(String(match.output.2)) { found.insert(String(match.output.1)) }
      }
    }
    return found
  }

  /// The members with a taken name, as `file:line name`.
  private static func clashes(in sources: [Source]) -> [String] {
    let classes = classes(in: sources)
    var found: [String] = []
    for source in sources {
      var indentation: Int?
      for (number, line) in source.lines.enumerated() {
        let spaces = line.prefix { $0 == " " }.count
        let text = line.dropFirst(spaces)
        if text.contains("class ") || text.contains("extension "),
          let match = text.prefixMatch(of: #/(?:[@\w().]+ )*(?:class|extension) (\w+)/#),
          indentation.map({ spaces <= $0 }) ?? true
        {
          indentation = classes.contains(String(match.output.1)) ? spaces : nil
        } else if text.hasPrefix("}"), spaces == indentation {
          indentation = nil
        }
        // Members of the type itself are indented by one level.
        guard let indentation, spaces == indentation + 2, !text.contains("override "), !text.contains("static "),
          let member = text.prefixMatch(of: #/(?:[@\w()]+ )*(?:var|let|func) (\w+)(?:\(\)|[:, =<]|$)/#)
        else { continue }
        let name = String(member.output.1)
        if taken.contains(name) { found.append("\(source.path):\(number + 1) \(name)") }
      }
    }
    return found
  }

  @Test(arguments: ["Sources", "Tests"])
  func `no subclass of Operation or NSObject declares a member with a name of Objective-C`(folder: String) throws {
    let sources = try Self.sources(below: folder)
    #expect(Self.classes(in: sources).count > (folder == "Sources" ? 7 : 4))
    #expect(Self.clashes(in: sources) == [])
  }

  @Test func `the search for Objective-C names finds each kind of member and no override`() {
    let text = """
      open class Work: Operation, @unchecked Sendable {
        private let cancelled = false
        public override var isFinished: Bool { true }
        struct State { var ready = false }
        var isDone: Bool { true }
      }
      public final class Task<Value: Sendable>: Work, @unchecked Sendable {
        private(set) var executing: Bool { false }
        func report(hash: Int) {}
      }
      extension Task {
        func retain() {}
      }
      final class Other {
        var description = ""
      }
      """
    let source = Source(path: "Text", lines: text.split(separator: "\n"))
    #expect(Self.clashes(in: [source]) == ["Text:2 cancelled", "Text:8 executing", "Text:12 retain"])
  }

  // Enums of Foundation

  @Test func `every switch over an operator of Foundation's predicates has an unknown default`() throws {
    let sources = try Self.sources(below: "Sources/Persistence/Queries/Predicates")
    var switches = 0
    for source in sources {
      for (number, line) in source.lines.enumerated() where line.contains("switch op {") {
        switches += 1
        let body = source.lines[number...].prefix { $0.trimmingCharacters(in: .whitespaces) != "}" }
        #expect(body.contains { $0.contains("@unknown default") }, "\(source.path):\(number + 1)")
      }
    }
    #expect(switches == 2)
  }

  // The privacy manifest

  private struct Manifest: Decodable {
    struct API: Decodable {
      let type: String
      let reasons: [String]

      enum CodingKeys: String, CodingKey {
        case type = "NSPrivacyAccessedAPIType"
        case reasons = "NSPrivacyAccessedAPITypeReasons"
      }
    }
    let isTracking: Bool
    let domains: [String]
    let apis: [API]

    enum CodingKeys: String, CodingKey {
      case isTracking = "NSPrivacyTracking"
      case domains = "NSPrivacyTrackingDomains"
      case apis = "NSPrivacyAccessedAPITypes"
    }
  }

  /// What Apple wants a reason for, by category, as our sources would write it.
  private static let categories: [(name: String, words: [String])] = [
    ("FileTimestamp", ["stat(", "contentModificationDate", "creationDate", "getattrlist", "modificationDate"]),
    ("SystemBootTime", ["systemUptime", "mach_absolute_time", "kern.boottime"]),
    ("DiskSpace", ["statfs", "statvfs", "volumeAvailableCapacity", "systemFreeSize", "systemSize"]),
    ("ActiveKeyboards", ["activeInputModes"]),
    ("UserDefaults", ["UserDefaults"]),
  ]

  @Test(arguments: ["Decoding", "FetchKit", "Persistence"])
  func `a module's privacy manifest lists what the module uses`(module: String) throws {
    let lines = try Self.sources(below: "Sources/\(module)").flatMap(\.lines)
      .filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }
    let used = Self.categories.filter { _, words in
      lines.contains { line in words.contains { line.contains($0) } }
    }
    let file = Compiler.packageRoot.appending(path: "Sources/\(module)/PrivacyInfo.xcprivacy")
    guard module != "Decoding" else {
      #expect(used.isEmpty)
      return
    }
    let manifest = try PropertyListDecoder().decode(Manifest.self, from: Data(contentsOf: file))
    #expect(!manifest.isTracking && manifest.domains.isEmpty)
    #expect(manifest.apis.map(\.type) == used.map { "NSPrivacyAccessedAPICategory\($0.name)" })
    #expect(manifest.apis.map(\.reasons) == [["C617.1"]])
  }
}
