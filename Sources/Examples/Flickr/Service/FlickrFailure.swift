import Decoding
import ExampleSupport
import FetchKit
import Foundation

/// A failure as reported by Flickr, with status 200, `"stat":"fail"` and a code.
struct FlickrFailure: Explained {
  let code: Int?
  let message: String

  /// Whether Flickr has reported that it does not know the place.
  var isUnknownPlace: Bool { code == 2 || code == 3 }

  var description: String {
    "Flickr says: \(ServiceMessage.shortened(message, to: 120)) (\(code.map { "code \($0)" } ?? "without a code"))"
  }

  /// - Throws: `FlickrFailure`, or `LocatedDecodingError` if the data is not a Flickr response.
  static func check(_ answer: Data) throws {
    guard !answer.isEmpty else { throw Failure("the server's response is empty") }
    let stat: Stat
    do {
      stat = try JSONDecoder().decode(Stat.self, from: answer, at: "$")
    } catch {
      guard let message = ServiceMessage.find(in: answer) else { throw error }
      throw Failure("the service says: \(message)")
    }
    guard stat.stat != "ok" else { return }
    throw FlickrFailure(code: stat.code, message: stat.message ?? "it failed")
  }

  private struct Stat: Decodable {
    let stat: String
    let code: Int?
    let message: String?

    init(from decoder: any Decoder) throws {
      let json = try decoder.nested()
      stat = try json.decode(at: "stat")
      guard stat != "ok" else {
        (code, message) = (nil, nil)
        return
      }
      code = try json.words(at: "code").flatMap { Int($0) }
      message = try json.words(at: "message")
    }
  }
}

extension ExtractionStrategy where Value: Decodable {
  /// Decodes a part of a Flickr response. Throws a `FlickrFailure` if the response reports one.
  static func flickr(at path: JSONPath) -> Self {
    Self { response in
      try FlickrFailure.check(response.body)
      return try JSONDecoder().decode(Value.self, from: response.body, at: path)
    }
  }
}
