import Decoding
public import Foundation

/// Finds the error message that a web API includes in the body of a failed response, in any of several common formats.
public enum ServiceMessage {
  private static let paths: [JSONPath] = [
    "error.message", "status_message", "message", "errors[0].message", "errors[0]", "error",
  ]

  /// Returns the error message in the body of a response, or nil if the body contains no message.
  public static func find(in body: Data) -> String? {
    let document = JSONDocument(body)
    for path in paths {
      // A body that is not JSON, or has another form, has no message at this path.
      guard let message = try? document.decode(String.self, at: path), !message.isBlank else { continue }
      return shortened(message, to: 200)
    }
    return nil
  }

  /// Shortens a server's message to one line with at most the given number of columns, and hides the
  /// program's API keys if the message contains them.
  public static func shortened(_ message: String, to columns: Int) -> String {
    // The keys are hidden first, because a key that is cut off would no longer be found.
    TextLayout.cut(Keys.hidden(in: message.trimmingCharacters(in: .whitespacesAndNewlines)), to: columns)
  }
}
