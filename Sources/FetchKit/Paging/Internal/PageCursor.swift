internal import Decoding
internal import Foundation

/// The cursor for the next page in the body of a page.
struct PageCursor: Decodable {
  private var text: String?

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      text = nil
    } else if let more = try? value.decode(Bool.self), !more {
      text = nil
    } else if let number = try? value.decode(Int64.self) {
      text = String(number)
    } else {
      text = try value.decode(String.self)
    }
  }

  static func read(from body: Data, at path: JSONPath) throws(LocatedDecodingError) -> String? {
    do throws(LocatedDecodingError) {
      return try JSONDecoder().decode(PageCursor.self, from: body, at: path).text
    } catch {
      guard error.kind == .missing else { throw error }
      return nil
    }
  }
}
