import Foundation

/// What is typed or piped into a program.
public enum StandardInput {
  /// Hands over each line as it comes, on a thread of its own, since reading waits.
  public static func forEachLine(
    _ body: @escaping @Sendable (String) -> Void, atEnd: @escaping @Sendable () -> Void
  ) {
    Thread.detachNewThread {
      while let line = readLine() { body(line) }
      atEnd()
    }
  }
}
