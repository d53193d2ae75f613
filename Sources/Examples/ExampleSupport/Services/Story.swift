public import Foundation

/// What a program's `demo` tells: steps, each of which is checked, in a folder that is gone afterwards.
public struct Story: Sendable {
  public let console: Console
  /// Where the story's files go.
  public let folder: URL

  /// Tells it to its end, or to the first step that does not hold.
  public static func tell(
    _ title: String, _ console: Console, _ body: @Sendable (Story) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "larder-demo-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer {
      do { try FileManager.default.removeItem(at: folder) } catch { console.warn("left behind: \(folder.path)") }
    }
    console.say(title, bold: true)
    try await body(Story(console: console, folder: folder))
    console.say()
    console.say("Everything held.")
  }

  /// Begins the next step.
  public func step(_ title: String) {
    console.say()
    for line in TextLayout.wrap(title, columns: console.terminal.readingWidth) {
      console.say(line, bold: true)
    }
  }

  /// A line of the step that is being told.
  public func say(_ line: String) {
    console.say(wrapping: line, indent: "  ")
  }

  public func say(_ table: TextTable) {
    for line in table.lines(columns: console.terminal.columns.map { $0 - 2 }) { console.say("  \(line)") }
  }

  /// - Parameter sentence: What went wrong if it does not hold.
  public func check(_ holds: Bool, _ sentence: @autoclosure () -> String) throws {
    guard holds else { throw Failure("the demo failed: \(sentence())") }
  }
}
