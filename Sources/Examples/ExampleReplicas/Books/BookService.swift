import Foundation

/// A replica of the books API's `volumes` route and its covers, including the peculiarities of the real service.
///
/// A page has at most 40 volumes. `totalItems` is an estimate that differs from page to page. Past the end, and for
/// searches without matches, there is no `items` member. The ranking shifts, so a page can begin with the volume that
/// ended the previous page. Any part of a volume can be missing, sometimes even its title.
struct BookService: Sendable {
  static let largestPage = 40

  /// The base URL of the links in the responses.
  let origin: String

  func search(_ query: [String: String], tick: Int) -> Answer {
    if let refusal = refusal(query) { return refusal }
    guard let text = query["q"]?.trimmingCharacters(in: .whitespaces), !text.isEmpty else {
      return failure(400, "Missing query.", reason: "queryRequired", location: "q")
    }
    let start = query["startIndex"].map { Int($0) } ?? 0
    guard let start, start >= 0 else {
      return failure(400, "Invalid value at 'start_index'.", reason: "invalidParameter", location: "startIndex")
    }
    let size = query["maxResults"].map { Int($0) } ?? 10
    guard let size, (0...Self.largestPage).contains(size) else {
      return failure(
        400, "Invalid value '\(query["maxResults"] ?? "")'. Values must be within the range: [0, \(Self.largestPage)]",
        reason: "invalidParameter", location: "maxResults")
    }
    let hits = hits(for: text)
    var page = Array(hits.dropFirst(start).prefix(size))
    if start > 0, !page.isEmpty, stableHash("moved", text, "\(start)") % 3 == 0 { page[0] = hits[start - 1] }
    var answer: JSONObject = [
      "kind": "books#volumes",
      "totalItems": hits.isEmpty ? 0 : hits.count + Int(stableHash("estimate", text, "\(start)") % 97),
    ]
    if !page.isEmpty { answer["items"] = page.map { object($0, tick: tick) } }
    return Answer(json: answer)
  }

  func volume(_ id: String, _ query: [String: String], tick: Int) -> Answer {
    if let refusal = refusal(query) { return refusal }
    guard let volume = BookCatalogue.volumesByID[id] else {
      return failure(404, "The volume ID could not be found.", reason: "notFound")
    }
    return Answer(json: object(volume, tick: tick))
  }

  func cover(_ query: [String: String]) -> Answer {
    guard let id = query["id"], let volume = BookCatalogue.volumesByID[id], volume.hasCover else {
      return Answer(status: 404, body: Data("not found".utf8), contentType: "text/plain")
    }
    let scale = query["zoom"] == "1" ? 2 : 1
    return Answer(
      body: MosaicPicture(of: id, columns: 10 * scale, rows: 15 * scale).jpeg, contentType: "image/jpeg")
  }

  /// The service works without a key, but rejects an invalid one.
  private func refusal(_ query: [String: String]) -> Answer? {
    guard query["key"] == "invalid" else { return nil }
    return failure(400, "API key not valid. Please pass a valid API key.", reason: "badRequest")
  }

  private func hits(for text: String) -> [CatalogueVolume] {
    let wanted = folded(text)
    if wanted.hasPrefix("isbn:") {
      let number = wanted.dropFirst(5).filter(\.isNumber)
      return BookCatalogue.volumes.filter { volume in volume.identifiers?.contains { $0.identifier == number } ?? false
      }
    }
    let words = wanted.split { !$0.isLetter && !$0.isNumber }
    guard !words.isEmpty else { return [] }
    return BookCatalogue.volumes.filter { volume in
      let known = folded(([volume.title] + (volume.authors ?? [])).joined(separator: " "))
      return words.allSatisfy { known.contains($0) }
    }
  }

  private func object(_ volume: CatalogueVolume, tick: Int) -> JSONObject {
    var info: JSONObject = [
      "language": "en", "printType": "BOOK", "maturityRating": "NOT_MATURE",
      "infoLink": "\(origin)/books?id=\(volume.id)&source=gbs_api",
    ]
    if volume.hasTitle { info["title"] = volume.title }
    if let authors = volume.authors { info["authors"] = authors }
    if let publisher = volume.publisher { info["publisher"] = publisher }
    if let published = volume.published { info["publishedDate"] = published }
    if let about = volume.about { info["description"] = about }
    if let pages = volume.pages { info["pageCount"] = pages }
    if let identifiers = volume.identifiers {
      info["industryIdentifiers"] = identifiers.map { ["type": $0.type, "identifier": $0.identifier] as JSONObject }
    }
    if let rating = volume.rating {
      info["averageRating"] = rating
      info["ratingsCount"] = 1 + Int(stableHash(volume.id) % 40) + tick % 60
    }
    if volume.hasCover {
      let link = "\(origin)/books/content?id=\(volume.id)&printsec=frontcover&img=1"
      info["imageLinks"] =
        [
          "smallThumbnail": "\(link)&zoom=5&source=gbs_api", "thumbnail": "\(link)&zoom=1&source=gbs_api",
        ] as JSONObject
    }
    return [
      "kind": "books#volume", "id": volume.id, "etag": String(stableHash(volume.id), radix: 36),
      "selfLink": "\(origin)/books/v1/volumes/\(volume.id)", "volumeInfo": info,
    ]
  }

  private func failure(_ code: Int, _ message: String, reason: String, location: String? = nil) -> Answer {
    var error: JSONObject = ["message": message, "domain": "global", "reason": reason]
    if let location {
      error["location"] = location
      error["locationType"] = "parameter"
    }
    return Answer(
      status: code, json: ["error": ["code": code, "message": message, "errors": [error]] as JSONObject])
  }

  private func folded(_ text: String) -> String {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }
}
