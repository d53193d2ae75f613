public import Foundation

/// The demo of an example program. A demo runs a series of steps and checks the result of each step. The demo's files
/// are stored in a temporary folder that is removed at the end.
public struct Story: Sendable {
  public let console: Console
  /// The temporary folder for the demo's files.
  public let folder: URL

  /// Runs the demo until it ends or a check fails.
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

  /// Starts the next step of the demo by printing the title of the step.
  public func step(_ title: String) {
    console.say()
    for line in TextLayout.wrap(title, columns: console.terminal.readingWidth) {
      console.say(line, bold: true)
    }
  }

  /// Prints text that belongs to the current step, indented below the title of the step.
  public func say(_ line: String) {
    console.say(wrapping: line, indent: "  ")
  }

  public func say(_ table: TextTable) {
    for line in table.lines(columns: console.terminal.columns.map { $0 - 2 }) { console.say("  \(line)") }
  }

  /// - Parameter sentence: The description of the problem, to be reported if the check fails.
  public func check(_ holds: Bool, _ sentence: @autoclosure () -> String) throws {
    guard holds else { throw Failure("the demo failed: \(sentence())") }
  }
}
