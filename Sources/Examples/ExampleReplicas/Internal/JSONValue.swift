import Foundation

/// A value that a replica can put in a response. Every such value can be written as JSON, so writing cannot fail.
protocol JSONValue: Sendable {
  func write(to text: inout String)
}

/// A JSON object. Members are written sorted by name, so that the same response has the same text in every process.
struct JSONObject: JSONValue, ExpressibleByDictionaryLiteral {
  private var members: [String: any JSONValue]

  init(dictionaryLiteral elements: (String, any JSONValue)...) {
    members = Dictionary(elements) { _, last in last }
  }

  subscript(name: String) -> (any JSONValue)? {
    get { members[name] }
    set { members[name] = newValue }
  }

  func merging(_ other: JSONObject) -> JSONObject {
    var merged = self
    merged.members.merge(other.members) { _, last in last }
    return merged
  }

  func write(to text: inout String) {
    text += "{"
    for (index, (name, value)) in members.sorted(by: { $0.key < $1.key }).enumerated() {
      if index > 0 { text += "," }
      name.write(to: &text)
      text += ":"
      value.write(to: &text)
    }
    text += "}"
  }

  var data: Data {
    var text = ""
    write(to: &text)
    return Data(text.utf8)
  }
}

extension Array: JSONValue where Element: JSONValue {
  func write(to text: inout String) {
    text += "["
    for (index, element) in enumerated() {
      if index > 0 { text += "," }
      element.write(to: &text)
    }
    text += "]"
  }
}

extension Optional: JSONValue where Wrapped: JSONValue {
  func write(to text: inout String) {
    if let self { self.write(to: &text) } else { text += "null" }
  }
}

extension Bool: JSONValue {
  func write(to text: inout String) { text += self ? "true" : "false" }
}

extension Int: JSONValue {
  func write(to text: inout String) { text += "\(self)" }
}

extension Int64: JSONValue {
  func write(to text: inout String) { text += "\(self)" }
}

extension Double: JSONValue {
  /// Writes a whole number without a fraction, like the real services. Infinity becomes null, because JSON has no
  /// infinity.
  func write(to text: inout String) {
    if let whole = Int(exactly: self) {
      text += "\(whole)"
    } else {
      text += isFinite ? "\(self)" : "null"
    }
  }
}

extension String: JSONValue {
  func write(to text: inout String) {
    text += "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\u{0}"..<"\u{20}": text += String(format: "\\u%04x", scalar.value)
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
