public import Foundation

/// A program's demo, which is a series of checked steps in a folder that is removed afterward.
public struct Story: Sendable {
  public let console: Console
  /// The folder for the demo's files.
  public let folder: URL

  /// Runs the demo to its end, or to the first check that fails.
  public static func tell(
    _ title: String, _ console: Console, _ body: @Sendable (Story) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "larder-demo-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer {
      do { try FileManager.default.removeItem(at: folder) } catch { console.warn("could not remove \(folder.path)") }
    }
    console.say(title, bold: true)
    try await body(Story(console: console, folder: folder))
    console.say()
    console.say("All checks passed.")
  }

  /// Starts the next step.
  public func step(_ title: String) {
    console.say()
    for line in TextLayout.wrap(title, columns: console.terminal.readingWidth) {
      console.say(line, bold: true)
    }
  }

  /// Prints a line of the current step.
  public func say(_ line: String) {
    console.say(wrapping: line, indent: "  ")
  }

  public func say(_ table: TextTable) {
    for line in table.lines(columns: console.terminal.columns.map { $0 - 2 }) { console.say("  \(line)") }
  }

  /// - Parameter sentence: What went wrong if the check fails.
  public func check(_ holds: Bool, _ sentence: @autoclosure () -> String) throws {
    guard holds else { throw Failure("the demo failed: \(sentence())") }
  }
}
