import Decoding
import ExampleSupport
import FetchKit
import Foundation

/// A failure as Flickr tells it: with status 200, `"stat":"fail"` and a code.
struct FlickrFailure: Explained {
  let code: Int
  let message: String

  /// The place is not known, and asking again does not help.
  var isUnknownPlace: Bool { code == 2 || code == 3 }

  var description: String { "Flickr says: \(TextLayout.cut(message, to: 120)) (code \(code))" }

  /// - Throws: `FlickrFailure`, or `DecodingFailure` for what is no answer of Flickr.
  static func check(_ answer: Data) throws {
    let document = JSONDocument(answer)
    guard try document.decode(String.self, at: "stat") != "ok" else { return }
    throw FlickrFailure(
      code: try document.decode(at: "code"), message: try document.decode(at: "message"))
  }
}

extension ExtractionStrategy where Value: Decodable {
  /// A part of an answer of Flickr; fails with a `FlickrFailure` where it tells one.
  static func flickr(at path: JSONPath) -> Self {
    Self { response in
      try FlickrFailure.check(response.body)
      return try JSONDecoder().decode(Value.self, from: response.body, at: path)
    }
  }
}
