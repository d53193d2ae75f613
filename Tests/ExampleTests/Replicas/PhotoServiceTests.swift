import Foundation
import Testing

@testable import ExampleReplicas

@Suite struct PhotoServiceTests {
  private static let tick = 29_000_001
  private let search = [
    "method": "flickr.photos.search", "license": "1", "has_geo": "1", "format": "json", "nojsoncallback": "1",
    "api_key": "any", "extras": "geo,date_upload,owner_name,license",
  ]

  private func object(_ query: [String: String], tick: Int = tick) throws -> [String: Any] {
    let answer = PhotoService().answer(query: query, tick: tick)
    #expect(answer.status == 200)
    return try #require(JSONSerialization.jsonObject(with: answer.body) as? [String: Any])
  }

  private func photos(_ changes: [String: String] = [:], tick: Int = tick) throws -> [[String: Any]] {
    let page = try #require(try object(search.merging(changes) { $1 }, tick: tick)["photos"] as? [String: Any])
    return try #require(page["photo"] as? [[String: Any]])
  }

  @Test(
    arguments: [
      (["api_key": ""], 100), (["api_key": "invalid"], 100), (["method": "flickr.photos.paint"], 112),
      (["license": nil], 3), (["method": "flickr.places.getInfo"], 1),
      (["method": "flickr.places.getInfo", "place_id": "nowhere"], 2),
    ] as [([String: String?], Int)])
  func `failures of the photo replica have status 200 and a code`(changes: [String: String?], code: Int) throws {
    var query = search
    for (name, value) in changes { query[name] = value }
    let answer = try object(query)
    #expect(answer["stat"] as? String == "fail")
    #expect(answer["code"] as? Int == code)
  }

  @Test func `without its two format parameters the photo replica does not answer with JSON`() {
    let xml = PhotoService().answer(query: search.filter { $0.key != "format" }, tick: 0)
    #expect(xml.contentType.hasPrefix("text/xml"))
    let script = PhotoService().answer(query: search.filter { $0.key != "nojsoncallback" }, tick: Self.tick)
    #expect(String(decoding: script.body, as: UTF8.self).hasPrefix("jsonFlickrApi({"))
  }

  @Test func `a page has at most 250 photos and fewer than it says`() throws {
    let page = try #require(try object(search.merging(["per_page": "500"]) { $1 })["photos"] as? [String: Any])
    #expect(page["perpage"] as? Int == 250)
    let count = try #require(page["photo"] as? [Any]).count
    #expect((220..<250).contains(count))
    #expect(try photos(["page": "99999"]).isEmpty)
  }

  @Test func `no photo is on two pages`() throws {
    let ids = try (1...8).flatMap { try photos(["page": "\($0)", "per_page": "50"]) }.compactMap { $0["id"] as? String }
    #expect(ids.count > 350)
    #expect(Set(ids).count == ids.count)
  }

  @Test func `the same tick gives the same photos, and a later one new photos and new titles`() throws {
    let now = try photos(["per_page": "250"])
    let again = try photos(["per_page": "250"])
    #expect(NSArray(array: now) == NSArray(array: again))
    let later = try photos(["per_page": "250"], tick: Self.tick + 30)
    let titles = Dictionary(uniqueKeysWithValues: now.map { ($0["id"] as? String ?? "", $0["title"] as? String) })
    #expect(later.contains { titles[$0["id"] as? String ?? ""] == nil })
    let changed = later.filter { photo in
      guard let id = photo["id"] as? String, let before = titles[id] else { return false }
      return before != photo["title"] as? String
    }
    #expect(!changed.isEmpty)
  }

  @Test func `latitudes are numbers, strings or zero`() throws {
    let latitudes = try (1...4).flatMap { try photos(["page": "\($0)", "per_page": "250"]) }.map { $0["latitude"] }
    #expect(latitudes.contains { $0 is String && $0 as? String != "0.000000" })
    #expect(latitudes.contains { $0 as? String == "0.000000" })
    #expect(latitudes.contains { $0 as? Double == 0 && !($0 is String) })
    #expect(latitudes.contains { $0 is Double && $0 as? Double != 0 })
  }

  @Test func `places have regions, some only a country, and one is not known`() throws {
    var query = search
    query["method"] = "flickr.places.getInfo"
    var regionless = 0
    for place in PhotoPlace.all {
      query["place_id"] = place.id
      let answer = try object(query)
      guard place.locality != PhotoPlace.unknown else {
        #expect(answer["code"] as? Int == 3)
        continue
      }
      let found = try #require(answer["place"] as? [String: Any])
      #expect((found["region"] as? [String: Any])?["_content"] as? String == place.region)
      regionless += place.region == nil ? 1 : 0
    }
    #expect(regionless > 0)
    #expect(Set(PhotoPlace.all.map(\.id)).count == PhotoPlace.all.count)
  }

  @Test func `a photo's picture exists in every size, and no other path has a picture`() throws {
    let photo = try #require(try photos().first)
    let name = "\(photo["id"] ?? "")_\(photo["secret"] ?? "")"
    for size in ["s", "q", "t", "m", "b"] {
      let picture = PhotoService().picture(path: "/1/\(name)_\(size).jpg")
      #expect(picture.status == 200)
      #expect(picture.body.prefix(2) == Data([0xFF, 0xD8]) && picture.body.suffix(2) == Data([0xFF, 0xD9]))
    }
    for wrong in ["/1/\(name)_q.png", "/1/\(photo["id"] ?? "")_0_q.jpg", "/1/x_y_q.jpg", "/1/2", "/"] {
      #expect(PhotoService().picture(path: wrong).status == 404)
    }
  }
}
