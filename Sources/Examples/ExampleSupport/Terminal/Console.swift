public import Foundation

/// What a program says: results on standard output, everything else on standard error.
public struct Console: Sendable {
  /// Whether results are JSON and nothing else is said.
  public let json: Bool
  /// What standard output is.
  public let terminal: Terminal

  public init(json: Bool, terminal: Terminal) {
    self.json = json
    self.terminal = terminal
  }

  /// A line for a person; with `--json` it is not printed.
  public func say(_ line: String = "", bold: Bool = false) {
    guard !json else { return }
    let line = TextLayout.printable(line)
    Self.write(bold ? terminal.bold(line) : line, to: .standardOutput)
  }

  /// A text for a person, broken between words into lines that fit, each indented.
  public func say(wrapping text: String, indent: String = "") {
    for line in TextLayout.wrap(text, columns: terminal.readingWidth, indent: indent) { say(line) }
  }

  /// Rows for a person, cut to fit a terminal and in full elsewhere.
  public func say(_ table: TextTable) {
    for line in table.lines(columns: terminal.columns) { say(line) }
  }

  /// A remark that is no result, such as where the store is.
  public func note(_ line: String) {
    if !json { warn(line) }
  }

  /// Something the user should know although the command did its work; said with `--json` too.
  public func warn(_ line: String) {
    Self.write(TextLayout.printable(line), to: .standardError)
  }

  /// One JSON value on one line, with `--json` only.
  public func result(_ value: some Encodable) throws {
    guard json else { return }
    Self.write(Self.escaped(String(decoding: try Self.encoder.encode(value), as: UTF8.self)), to: .standardOutput)
  }

  /// The same JSON without anything that a terminal obeys: where it is, it is within a string.
  private static func escaped(_ json: String) -> String {
    guard json.unicodeScalars.contains(where: \.isCommand) else { return json }
    return json.unicodeScalars.reduce(into: "") { escaped, scalar in
      if scalar.isCommand {
        let digits = String(scalar.value, radix: 16)
        escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
  }

  /// How the programs write JSON: keys in order, dates in ISO 8601.
  public static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return encoder
  }

  static func write(_ line: String, to file: FileHandle) {
    ProgressLine.steppingAside { put(line + "\n", to: file) }
  }

  /// Writes what is no line, such as a line that is drawn anew.
  static func put(_ text: String, to file: FileHandle) {
    do {
      try file.write(contentsOf: Data(Keys.hidden(in: text).utf8))
    } catch {
      // Nobody can be told: the reader has gone, or the disk is full.
      exit(1)
    }
  }
}
