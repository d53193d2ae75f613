import Decoding
import ExampleSupport
import Foundation

/// A volume on a page, which is a book or the reason why it could not be read. A broken volume does not discard the
/// rest of the page, and still counts when the size of the page is checked.
enum SearchHit: Sendable {
  case book(BookData)
  case broken(DroppedElement)

  /// The identity of the book. Each broken volume has a unique identity.
  var identity: String {
    switch self {
    case .book(let book): book.identity
    case .broken: UUID().uuidString
    }
  }
}

/// A page of the books API. It omits `items` if there are none, but then contains `totalItems`.
struct VolumePage: Decodable, Sendable {
  let hits: [SearchHit]

  init(from decoder: any Decoder) throws {
    let json = try decoder.nested()
    // A response can contain an error next to an empty list.
    guard try json.decodeIfPresent(ServiceError.self, at: "error") == nil else {
      throw Failure("the service returned an error and no books")
    }
    if let items = try json.decodeLossyIfPresent(BookData.self, at: "items") {
      hits = items.values.map(SearchHit.book) + items.drops.map(SearchHit.broken)
    } else {
      let _: Int = try json.decode(at: "totalItems", as: .numberOrString)
      hits = []
    }
  }

  private struct ServiceError: Decodable {}
}
