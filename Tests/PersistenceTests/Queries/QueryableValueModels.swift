import Foundation
import LarderTestSupport
import Persistence

enum Zone: Int, AttributeValue, CaseIterable { case north = 7, south = -3 }

struct Geo: QueryableValue {
  var latitude = 0.0
  var label: String?

  static var jsonNames: [PartialKeyPath<Geo>: String] { [\.latitude: "lat", \.label: "label"] }

  enum CodingKeys: String, CodingKey { case latitude = "lat", label }
}

struct Home: QueryableValue {
  var street = ""
  var city: String?
  var number = 0
  var floor: Int8?
  var isRented = false
  var zone = Zone.north
  var rent: Double?
  var geo: Geo?
  private(set) var country = "de"
  var since = Date(timeIntervalSince1970: 0)
  var tags: [String] = []
  var secret = 1

  static var jsonNames: [PartialKeyPath<Home>: String] {
    [
      \.street: "sträßé it's", \.city: "city", \.number: "number", \.floor: "floor", \.isRented: "isRented",
      \.zone: "zone", \.rent: "rent", \.geo: "geo", \.country: "country", \.since: "since", \.tags: "tags",
    ]
  }

  enum CodingKeys: String, CodingKey {
    case street = "sträßé it's"
    case city, number, floor, isRented, zone, rent, geo, country, since, tags, secret
  }
}

final class Tenant: ManagedObject {
  @Attribute var name = ""
  @Attribute var home = Home()
  @Attribute var second: Home?
  @ToOne(inverse: \Tenant.guests) var host: Tenant?
  @ToMany var guests: RelatedObjects<Tenant>

  override class var indexes: [AttributeIndex] {
    [
      .on(Tenant.self, by: { $0.home.city }),
      .on(Tenant.self, by: { ($0.home.number, $0.name) }),
      .on(Tenant.self, by: { $0.second.geo.label }, where: { $0.second != nil }),
      .on(Tenant.self, by: { $0.home.isRented }),
    ]
  }
}

extension Home {
  static func random(_ random: inout SplitMix) -> Home {
    var home = Home()
    home.street = random.pick(Hostile.texts)
    home.city = random.chance(3) ? nil : random.pick(Hostile.texts)
    home.number = random.pick(Hostile.integers)
    home.floor = random.chance(3) ? nil : random.pick([0, 1, -128, 127])
    home.isRented = random.chance(2)
    home.zone = random.pick(Zone.allCases)
    home.rent =
      random.chance(3)
      ? nil
      : random.pick(
        Hostile.reals.filter(\.isFinite) + [0.1 + 0.2, 1e23, .leastNonzeroMagnitude, 123_456_789.123_456_78])
    home.geo =
      random.chance(3)
      ? nil
      : Geo(latitude: random.pick([0, 7, -0.1, 1e300]), label: random.chance(3) ? nil : random.pick(Hostile.texts))
    return home
  }
}
