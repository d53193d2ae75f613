import Decoding
public import Foundation

/// What a web API itself says about a failure, in any of the forms that web APIs have for that.
public enum ServiceMessage {
  private static let paths: [JSONPath] = [
    "error.message", "status_message", "message", "errors[0].message", "errors[0]", "error",
  ]

  /// The message in a response's body; nil where there is none.
  public static func find(in body: Data) -> String? {
    let document = JSONDocument(body)
    for path in paths {
      // What is no JSON, or of another form, has no message there.
      guard let message = try? document.decode(String.self, at: path), !message.isBlank else { continue }
      return shortened(message, to: 200)
    }
    return nil
  }

  /// A message of a server's as one line of at most so many columns, without the keys that were sent.
  public static func shortened(_ message: String, to columns: Int) -> String {
    // Keys first: the beginning of one that is cut would be found no more.
    TextLayout.cut(Keys.hidden(in: message.trimmingCharacters(in: .whitespacesAndNewlines)), to: columns)
  }
}
