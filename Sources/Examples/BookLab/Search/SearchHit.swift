import Decoding
import ExampleSupport
import Foundation

/// A volume of a page: a book, or why it is none. One that is broken must not cost the other thirty-nine, and still
/// counts when it is asked whether the page was full.
enum SearchHit: Sendable {
  case book(BookData)
  case broken(LossyDrop)

  /// Books are told apart by what makes them the same book; each broken volume is one of its own.
  var identity: String {
    switch self {
    case .book(let book): book.identity
    case .broken: UUID().uuidString
    }
  }
}

/// A page of the books API, which leaves `items` out where there are none, but never says nothing at all.
struct VolumePage: Decodable, Sendable {
  let hits: [SearchHit]

  init(from decoder: any Decoder) throws {
    let json = try decoder.nested()
    // An error may stand next to an empty list.
    guard try json.decodeIfPresent(ServiceError.self, at: "error") == nil else {
      throw Failure("the service sent an error and no books")
    }
    if let items = try json.decodeLossyIfPresent(BookData.self, at: "items") {
      hits = items.values.map(SearchHit.book) + items.drops.map(SearchHit.broken)
    } else {
      let _: Int = try json.decode(at: "totalItems", as: .numberOrText)
      hits = []
    }
  }

  private struct ServiceError: Decodable {}
}
