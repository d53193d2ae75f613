import Foundation

/// What a program says: results on standard output, everything else on standard error.
public struct Console: Sendable {
  /// Whether results are JSON and nothing else is said.
  public let json: Bool

  public init(json: Bool) {
    self.json = json
  }

  /// A line for a person; with `--json` it is not printed.
  public func say(_ line: String = "") {
    if !json { Self.write(line, to: .standardOutput) }
  }

  /// A long text for a person, broken between words into lines of at most 100 characters, each indented.
  public func say(wrapping text: String, indent: String) {
    var line = indent
    for word in text.split(separator: " ") {
      if line.count + 1 + word.count > 100, line != indent {
        say(line)
        line = indent
      }
      line += (line == indent ? "" : " ") + word
    }
    say(line)
  }

  /// A remark that is no result, such as where the store is.
  public func note(_ line: String) {
    if !json { Self.write(line, to: .standardError) }
  }

  /// Something the user should know although the command did its work; said with `--json` too.
  public func warn(_ line: String) {
    Self.write(line, to: .standardError)
  }

  /// One JSON value on one line, with `--json` only.
  public func result(_ value: some Encodable) throws {
    guard json else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    Self.write(String(decoding: try encoder.encode(value), as: UTF8.self), to: .standardOutput)
  }

  static func write(_ line: String, to file: FileHandle) {
    do {
      try file.write(contentsOf: Data((line + "\n").utf8))
    } catch {
      // Nobody can be told: the reader has gone, or the disk is full.
      exit(1)
    }
  }
}
