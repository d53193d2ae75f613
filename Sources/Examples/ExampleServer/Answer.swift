import Foundation

/// What a replica answers, before it is put on the wire.
struct Answer: Sendable {
  let status: Int
  let body: Data

  init(status: Int, json: [String: Any]) {
    self.status = status
    do {
      body = try JSONSerialization.data(withJSONObject: json, options: [.sortedKeys, .withoutEscapingSlashes])
    } catch {
      // Only strings, numbers, NSNull and collections of them are ever put in: a failure is a mistake in this target.
      preconditionFailure("not a JSON object: \(error)")
    }
  }

  static func failure(status: Int, code: Int, message: String) -> Answer {
    Answer(status: status, json: ["success": false, "status_code": code, "status_message": message])
  }

  static let notFound = failure(status: 404, code: 34, message: "The resource you requested could not be found.")

  /// A strong validator: the same body has the same one in every process.
  var entityTag: String {
    "\"\(String(stableHash(String(decoding: body, as: UTF8.self)), radix: 16))\""
  }
}
