public import Foundation

extension LocatedDecodingError: CustomStringConvertible, CustomDebugStringConvertible, LocalizedError {
  /// A one-line description that contains no values from the document:
  /// `$['results'][0]: expected Double, found a string at line 3, column 14 (byte 57)`.
  public var description: String {
    let location = position.map { " at \($0)" } ?? ""
    return "\(shortened(path.description)): \(reason)\(location)"
  }

  /// The text of ``description``, followed by the parts that may contain values from the document: the decoder's
  /// message and the text around the position.
  public var debugDescription: String {
    var text = description
    if let detail { text += "; \(detail)" }
    if let snippet { text += "; near: \(snippet)" }
    return text
  }

  /// The same text as ``description``.
  public var errorDescription: String? { description }

  private var reason: String {
    switch kind {
    case .missing:
      if !path.isSingular { return "the path selects nothing" }
      let names = siblings.prefix(5).map { "`\($0)`" }.joined(separator: ", ")
      let more = siblings.count > 5 ? ", …" : ""
      let isConverted = path.compiled.steps?.last.map { siblings.map { .name(ByteString($0)) }.contains($0) } ?? false
      let reason = isConverted ? ", but the decoder converts the names" : ""
      return siblings.isEmpty ? "missing" : "missing; the object has \(names)\(more)\(reason)"
    case .null: return "expected \(expected ?? "a value"), found null"
    case .mismatch: return "expected \(expected ?? "another kind of value"), found \(found ?? "something else")"
    case .invalid: return invalidReason
    case .malformed: return "not JSON: \(expected ?? "malformed")" + (found.map { ", found \($0)" } ?? "")
    case .invalidPath:
      return (underlyingError as? JSONPathError).map(String.init(describing:)) ?? "the path is invalid"
    case .unsupportedPath: return "the path cannot be evaluated here: \(expected ?? "it needs the document's bytes")"
    case .limit: return "stopped: \(expected ?? "too large")"
    case .custom:
      return "decoding \(expected ?? "a type") threw \(underlyingError.map { "\(type(of: $0))" } ?? "an error")"
    }
  }

  private var invalidReason: String {
    // Names, or the number of values.
    if let expected, let found, found.hasPrefix("`") || found.first?.isWholeNumber == true {
      return "expected \(expected), found \(found)"
    }
    guard let expected else { return "\(found ?? "a value") that the type does not accept" }
    // Usually the kind is right and only the value is wrong.
    guard let found, let article = found.firstIndex(of: " ") else { return "expected \(expected)" }
    return "expected \(expected), found another\(found[article...])"
  }

  private func shortened(_ text: String) -> String {
    guard text.count > 200 else { return text }
    return "\(text.prefix(120))…\(text.suffix(60))"
  }
}
