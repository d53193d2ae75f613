import Decoding
public import Foundation

/// A web API's own explanation of a failure, in any of the common formats.
public enum ServiceMessage {
  private static let paths: [JSONPath] = [
    "error.message", "status_message", "message", "errors[0].message", "errors[0]", "error",
  ]

  /// Returns the message in the body of a response, or nil if there is none.
  public static func find(in body: Data) -> String? {
    let document = JSONDocument(body)
    for path in paths {
      // A body that is not JSON, or has another form, has no message at this path.
      guard let message = try? document.decode(String.self, at: path), !message.isBlank else { continue }
      return shortened(message, to: 200)
    }
    return nil
  }

  /// Returns a server's message as one line with at most this many columns, without the keys that were sent.
  public static func shortened(_ message: String, to columns: Int) -> String {
    // The keys are hidden first, because a key that is cut off would no longer be found.
    TextLayout.cut(Keys.hidden(in: message.trimmingCharacters(in: .whitespacesAndNewlines)), to: columns)
  }
}
