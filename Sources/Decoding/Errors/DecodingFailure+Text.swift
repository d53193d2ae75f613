extension DecodingFailure: CustomStringConvertible, CustomDebugStringConvertible {
  /// One line without any value of the document:
  /// `$['results'][0]: expected Double, found a string at line 3, column 14 (byte 57)`.
  public var description: String {
    let place = position.map { " at \($0)" } ?? ""
    return "\(shortened(path.description)): \(reason)\(place)"
  }

  /// ``description`` with what may hold values: the decoder's own words and the text around the place.
  public var debugDescription: String {
    var text = description
    if let detail { text += "; \(detail)" }
    if let snippet { text += "; near: \(snippet)" }
    return text
  }

  private var reason: String {
    switch kind {
    case .missing:
      if !path.isSingular { return "nothing is selected" }
      let names = siblings.prefix(5).map { "`\($0)`" }.joined(separator: ", ")
      let more = siblings.count > 5 ? ", …" : ""
      return siblings.isEmpty ? "missing" : "missing; there is \(names)\(more)"
    case .null: return "expected \(expected ?? "a value"), found null"
    case .mismatch: return "expected \(expected ?? "another kind of value"), found \(found ?? "something else")"
    case .invalid: return invalidReason
    case .malformed: return "not JSON: \(expected ?? "malformed")" + (found.map { ", found \($0)" } ?? "")
    case .invalidPath:
      return (underlyingError as? JSONPathError).map(String.init(describing:)) ?? "the path is not one"
    case .unsupportedPath: return "the path cannot be answered here: \(expected ?? "it needs the document's bytes")"
    case .limit: return "a limit was reached: \(expected ?? "too large")"
    case .custom:
      return "decoding \(expected ?? "a type") threw \(underlyingError.map { "\(type(of: $0))" } ?? "an error")"
    }
  }

  private var invalidReason: String {
    guard let expected else { return "\(found ?? "a value") that the type does not accept" }
    // The kind is right, mostly, and it is another value of it that was wanted.
    guard let found, let article = found.firstIndex(of: " ") else { return "expected \(expected)" }
    return "expected \(expected), found another\(found[article...])"
  }

  private func shortened(_ text: String) -> String {
    guard text.count > 200 else { return text }
    return "\(text.prefix(120))…\(text.suffix(60))"
  }
}
