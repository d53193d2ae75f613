public import Foundation

/// The output of a program. Results are printed to standard output, and everything else is printed to standard error.
public struct Console: Sendable {
  /// Whether results are printed as JSON. If true, warnings are the only text that is not JSON.
  public let json: Bool
  /// The terminal that standard output is connected to.
  public let terminal: Terminal

  public init(json: Bool, terminal: Terminal) {
    self.json = json
    self.terminal = terminal
  }

  /// Prints a line of text. With `--json`, nothing is printed.
  public func say(_ line: String = "", bold: Bool = false) {
    guard !json else { return }
    let line = TextLayout.printable(line)
    Self.write(bold ? terminal.bold(line) : line, to: .standardOutput)
  }

  /// Prints text, wrapped between words into indented lines that fit the terminal.
  public func say(wrapping text: String, indent: String = "") {
    for line in TextLayout.wrap(text, columns: terminal.readingWidth, indent: indent) { say(line) }
  }

  /// Prints a table. If the output is a terminal, rows are shortened to fit. Otherwise, they are printed in full.
  public func say(_ table: TextTable) {
    for line in table.lines(columns: terminal.columns) { say(line) }
  }

  /// Prints a remark that is not a result, such as the location of the store. With `--json`, nothing is printed.
  public func note(_ line: String) {
    if !json { warn(line) }
  }

  /// Prints a warning that the user should see even if the command succeeds. The warning is also printed with `--json`.
  public func warn(_ line: String) {
    Self.write(TextLayout.printable(line), to: .standardError)
  }

  /// Prints a value as one line of JSON. Without `--json`, nothing is printed.
  public func result(_ value: some Encodable) throws {
    guard json else { return }
    Self.write(Self.escaped(String(decoding: try Self.encoder.encode(value), as: UTF8.self)), to: .standardOutput)
  }

  /// Escapes terminal control characters in JSON. They occur only inside strings.
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

  /// The encoder for the JSON output of the example programs. It sorts the keys and writes dates in ISO 8601 format.
  public static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return encoder
  }

  static func write(_ line: String, to file: FileHandle) {
    ProgressLine.steppingAside { put(line + "\n", to: file) }
  }

  /// Writes text without a line end, such as a line that is redrawn.
  static func put(_ text: String, to file: FileHandle) {
    do {
      try file.write(contentsOf: Data(Keys.hidden(in: text).utf8))
    } catch {
      // The error cannot be reported, because the reader is gone or the disk is full.
      exit(1)
    }
  }
}
