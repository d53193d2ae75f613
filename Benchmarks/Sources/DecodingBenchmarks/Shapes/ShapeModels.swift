/// What dictionaries by identifier hold.
struct Record: Codable, Equatable {
  let id: Int
  let name: String
  let isActive: Bool
  let score: Double
  let tags: [String]
  let parent: Int?
  let created: String
  let kind: String
}

struct Article: Codable, Equatable {
  let title: String
  let body: String
  let author: String
}

/// One of several kinds, by a member `type`.
enum Event: Codable, Equatable {
  struct Point: Codable, Equatable { let x, y: Int }
  struct Item: Codable, Equatable { let sku: String, count: Int }

  case click(id: Int, at: Double, point: Point)
  case view(id: Int, at: Double, page: String, seconds: Double?)
  case purchase(id: Int, at: Double, amount: Double, items: [Item], coupon: String?)

  private enum Key: CodingKey { case type, id, at, point, page, seconds, amount, items, coupon }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let id = try container.decode(Int.self, forKey: .id)
    let at = try container.decode(Double.self, forKey: .at)
    switch try container.decode(String.self, forKey: .type) {
    case "click": self = .click(id: id, at: at, point: try container.decode(Point.self, forKey: .point))
    case "view":
      self = .view(
        id: id, at: at, page: try container.decode(String.self, forKey: .page),
        seconds: try container.decodeIfPresent(Double.self, forKey: .seconds))
    default:
      self = .purchase(
        id: id, at: at, amount: try container.decode(Double.self, forKey: .amount),
        items: try container.decode([Item].self, forKey: .items),
        coupon: try container.decodeIfPresent(String.self, forKey: .coupon))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    func begin(_ type: String, _ id: Int, _ at: Double) throws {
      try container.encode(type, forKey: .type)
      try container.encode(id, forKey: .id)
      try container.encode(at, forKey: .at)
    }
    switch self {
    case .click(let id, let at, let point):
      try begin("click", id, at)
      try container.encode(point, forKey: .point)
    case .view(let id, let at, let page, let seconds):
      try begin("view", id, at)
      try container.encode(page, forKey: .page)
      try container.encodeIfPresent(seconds, forKey: .seconds)
    case .purchase(let id, let at, let amount, let items, let coupon):
      try begin("purchase", id, at)
      try container.encode(amount, forKey: .amount)
      try container.encode(items, forKey: .items)
      try container.encodeIfPresent(coupon, forKey: .coupon)
    }
  }
}

/// An event as the server sends it: half of its members are not read.
struct SentEvent: Encodable {
  struct Device: Encodable { let os, model: String, screen: [Int] }

  let event: Event
  let session: String
  let device: Device
  let experiments: [String: Bool]
  let referrer: String?

  private enum Key: CodingKey { case session, device, experiments, referrer }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(device, forKey: .device)
    try container.encode(experiments, forKey: .experiments)
    try event.encode(to: encoder)
    try container.encode(session, forKey: .session)
    try container.encode(referrer, forKey: .referrer)
  }
}

struct AnimationTrack: Codable, Equatable {
  struct Keyframe: Codable, Equatable {
    let time: Double
    let value: [Double]?
    let easing: [[Double]]
  }

  let name: String
  let keyframes: [Keyframe]
}

/// A line of a log.
struct LogLine: Codable, Equatable {
  let time: String
  let level: String
  let message: String
  let logger: String
  let request: String?
  let milliseconds: Double
  let status: Int
}

/// Names and values outside of ASCII.
struct Postamt: Codable, Equatable {
  let größe: Int
  let straße: String
  let öffnungszeiten: [String]
  let 名前: String
  let город: String?
}

/// A comment with its answers, which have answers themselves.
struct Comment: Codable, Equatable {
  let text: String
  let author: String
  let votes: Int
  let replies: [Comment]
}

/// Members in the order of their names, which is that of the document.
struct Reading: Codable, Equatable {
  let altitude: Int
  let battery: Double
  let city: String
  let device: Int
  let isValid: Bool
  let latitude: Double
  let longitude: Double
  let pressure: Int
  let station: String
  let temperature: Double
}

/// Mostly absent members.
struct Profile: Codable, Equatable {
  let id: Int
  let name, nickname, email, phone, city, country, company, title, website, avatar: String?
  let age, followers, points: Int?
  let isVerified, isPrivate: Bool?
  let rating: Double?
}

/// Objects that are little more than their braces.
struct Polygon: Codable, Equatable {
  struct Point: Codable, Equatable { let x, y: Int }

  let points: [Point]
}

/// Objects in objects, with few members each.
struct Order: Codable, Equatable {
  enum Status: String, Codable, CaseIterable { case open, paid, shipped }

  struct Customer: Codable, Equatable { let name: String, address: Address }
  struct Address: Codable, Equatable { let street: String, city: City }
  struct City: Codable, Equatable { let zip: Int, name: String, country: Country }
  struct Country: Codable, Equatable { let code: String }

  let status: Status
  let number: Int
  let customer: Customer
  let totals: [String: [String: Int]]
}
