import Foundation

/// A replica of the photo service's two methods and of its pictures, including the peculiarities of the real service.
///
/// A failure has status 200, `"stat":"fail"` and a code. The same values are strings in one photo and numbers in the
/// next. `total` can be either. A page can have fewer photos than announced, because some have become private. A page
/// of geotagged photos has at most 250 photos, regardless of the requested size. Without `format=json` the response is
/// XML, and without `nojsoncallback=1` it is a script.
struct PhotoService: Sendable {
  static let largestPage = 250
  /// The service covers three days.
  static let total = 3 * 24 * 60 * 2

  func answer(query: [String: String], tick: Int) -> Answer {
    guard query["format"] == "json" else {
      return Answer(
        body: Data(#"<?xml version="1.0" encoding="utf-8" ?><rsp stat="ok"></rsp>"#.utf8),
        contentType: "text/xml; charset=utf-8")
    }
    let json = object(query, tick: tick)
    guard query["nojsoncallback"] == "1" else {
      let script = Data("jsonFlickrApi(".utf8) + json.data + Data(")".utf8)
      return Answer(body: script, contentType: "text/javascript; charset=utf-8")
    }
    return Answer(json: json)
  }

  /// Returns the picture at a path such as `/7458/10101747234_47a50de040_q.jpg`.
  func picture(path: String) -> Answer {
    let sizes = ["s": 9, "q": 19, "t": 13, "m": 30, "b": 64]
    let parts = path.split(separator: "/").last?.split(separator: "_") ?? []
    guard parts.count == 3, parts[2].hasSuffix(".jpg"), let side = sizes[String(parts[2].dropLast(4))],
      let number = Int(parts[0]).map({ $0 - 50_000_000_000 }), StreamPhoto(number: number).secret == parts[1]
    else {
      return Answer(status: 404, body: Data("not found".utf8), contentType: "text/plain")
    }
    let picture = MosaicPicture(of: String(parts[0]), columns: side, rows: side)
    return Answer(body: picture.jpeg, contentType: "image/jpeg")
  }

  private func object(_ query: [String: String], tick: Int) -> JSONObject {
    guard let key = query["api_key"], !key.isEmpty, key != "invalid" else {
      return failure(100, "Invalid API Key (Key has invalid format)")
    }
    switch query["method"] {
    case "flickr.photos.search": return search(query, tick: tick)
    case "flickr.places.getInfo": return place(query)
    case let method: return failure(112, "Method \"\(method ?? "")\" not found")
    }
  }

  private func failure(_ code: Int, _ message: String) -> JSONObject {
    ["stat": "fail", "code": code, "message": message]
  }

  private func search(_ query: [String: String], tick: Int) -> JSONObject {
    guard query["license"] != nil || query["place_id"] != nil || query["min_upload_date"] != nil else {
      return failure(3, "Parameterless searches have been disabled. Please use flickr.photos.getRecent instead.")
    }
    let size = min(Self.largestPage, max(1, query["per_page"].flatMap { Int($0) } ?? 100))
    let page = max(1, query["page"].flatMap { Int($0) } ?? 1)
    let newest = StreamPhoto.newest(at: tick)
    let extras = Set((query["extras"] ?? "").split(separator: ",").map(String.init))
    let first = (page - 1) * size
    let photos =
      first < Self.total ? (first..<min(first + size, Self.total)).map { StreamPhoto(number: newest - $0) } : []
    let total: any JSONValue = page.isMultiple(of: 2) ? Self.total : "\(Self.total)"
    return [
      "stat": "ok",
      "photos": [
        "page": page,
        "pages": (Self.total + size - 1) / size,
        "perpage": size,
        "total": total,
        "photo": photos.filter { !$0.isPrivate }.map { object($0, extras, tick: tick) },
      ] as JSONObject,
    ]
  }

  private func object(_ photo: StreamPhoto, _ extras: Set<String>, tick: Int) -> JSONObject {
    var object: JSONObject = [
      "id": photo.id, "owner": photo.owner.id, "secret": photo.secret, "server": photo.server, "farm": photo.farm,
      "title": photo.title(at: tick), "ispublic": 1, "isfriend": 0, "isfamily": 0,
    ]
    if extras.contains("description") { object["description"] = ["_content": ""] as JSONObject }
    if extras.contains("date_upload") { object["dateupload"] = "\(photo.uploaded)" }
    if extras.contains("owner_name") { object["ownername"] = photo.owner.name }
    if extras.contains("license") { object["license"] = photo.either(4) }
    if extras.contains("geo") {
      let position = photo.position
      object["latitude"] = position.latitude
      object["longitude"] = position.longitude
      object["accuracy"] = photo.either(position.placeID == nil ? 0 : 16)
      object["context"] = 0
      object["place_id"] = position.placeID as any JSONValue
      object["woeid"] = position.placeID.map { _ in photo.place.woeid } as any JSONValue
      object["geo_is_public"] = 1
    }
    return object
  }

  private func place(_ query: [String: String]) -> JSONObject {
    guard let id = query["place_id"], !id.isEmpty else { return failure(1, "Required parameter missing") }
    guard let place = PhotoPlace.byID[id] else { return failure(2, "Not a valid Places ID") }
    guard place.locality != PhotoPlace.unknown else { return failure(3, "Place not found") }
    var object: JSONObject = [
      "place_id": id, "woeid": place.woeid, "latitude": "\(place.latitude)", "longitude": "\(place.longitude)",
      "place_type": "locality", "place_type_id": 7, "has_shapedata": 0,
      "name": [place.locality, place.region, place.country].compactMap { $0 }.joined(separator: ", "),
      "locality": part(place.locality, place), "country": part(place.country, place),
    ]
    if let region = place.region { object["region"] = part(region, place) }
    return ["stat": "ok", "place": object]
  }

  private func part(_ name: String, _ place: PhotoPlace) -> JSONObject {
    ["_content": name, "latitude": "\(place.latitude)", "longitude": "\(place.longitude)", "place_url": "/\(name)"]
  }
}
