import FetchKit
import Foundation
import Testing

@Suite struct LockTests {
  @Test func `a lock counts the increments of many tasks without loss`() async {
    let counter = Lock(0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 { group.addTask { counter.withLock { $0 += 1 } } }
    }
    #expect(counter.withLock { $0 } == 100)
  }
  @Test func `no source file uses a lock that the thread sanitizer cannot see`() throws {
    // On Linux the sanitizer does not recognize `Synchronization.Mutex` as a lock: what one guards would be reported,
    // or the reports ignored.
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources").standardized
    let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
    var count = 0
    for case let file as URL in files where file.pathExtension == "swift" {
      count += 1
      let code = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        .filter { !$0.drop { $0 == " " }.hasPrefix("//") }
      #expect(!code.contains { $0.contains("Mutex<") || $0.contains("Mutex(") }, "\(file.lastPathComponent)")
    }
    #expect(count > 100)
  }
}
