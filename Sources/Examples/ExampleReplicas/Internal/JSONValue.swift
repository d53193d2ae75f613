import Foundation

/// What a replica may put into an answer: every value of it can be written as JSON, so that nothing can fail on the
/// way.
protocol JSONValue: Sendable {
  func write(to text: inout String)
}

/// An object of JSON; its members are written by name, so that the same answer is the same text in every process.
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
  /// A whole number without a fraction, as the real services write it; JSON has no infinity, so that is null.
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
