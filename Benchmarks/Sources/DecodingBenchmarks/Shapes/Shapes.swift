import Decoding
import Foundation

/// Documents of shapes that no decoder was tuned for, made from a seed.
enum Shapes {
  static let seed: UInt64 = 20_261_123

  static let records: [String: Record] = {
    var random = ShapeGenerator(seed: seed)
    return Dictionary((0..<10_000).map { ("\(random.word())-\($0)", record(&random, $0)) }) { first, _ in first }
  }()

  private static func record(_ random: inout ShapeGenerator, _ id: Int) -> Record {
    Record(
      id: id, name: random.words(1..<4), isActive: random.chance(50), score: random.decimal(),
      tags: random.list(0..<4) { $0.word() }, parent: random.chance(50) ? random.number(0..<10_000) : nil,
      created: "2026-11-\(random.number(10..<31))T12:00:00Z", kind: random.word())
  }

  static let articles: [Article] = {
    var random = ShapeGenerator(seed: seed + 1)
    return (0..<1000).map { _ in
      Article(title: random.text(20..<80), body: random.text(100..<4000), author: random.words(2..<4))
    }
  }()

  static let sentEvents: [SentEvent] = {
    var random = ShapeGenerator(seed: seed + 2)
    return (0..<5000).map { id in
      SentEvent(
        event: event(&random, id), session: random.words(1..<2),
        device: SentEvent.Device(os: random.word(), model: random.words(1..<3), screen: [390, 844]),
        experiments: [random.word(): random.chance(50), random.word(): random.chance(50)],
        referrer: random.chance(50) ? "https://\(random.word()).example/\(random.word())" : nil)
    }
  }()

  private static func event(_ random: inout ShapeGenerator, _ id: Int) -> Event {
    let at = 1_763_900_000 + Double(random.number(0..<1_000_000)) / 1000
    switch random.number(0..<3) {
    case 0:
      return .click(id: id, at: at, point: Event.Point(x: random.number(0..<390), y: random.number(0..<844)))
    case 1:
      return .view(id: id, at: at, page: "/\(random.word())", seconds: random.chance(70) ? random.decimal() : nil)
    default:
      return .purchase(
        id: id, at: at, amount: random.decimal(),
        items: random.list(1..<4) { Event.Item(sku: $0.word(), count: $0.number(1..<5)) },
        coupon: random.chance(20) ? random.word() : nil)
    }
  }

  static let anyValue: AnyValue = {
    var random = ShapeGenerator(seed: seed + 3)
    return .array((0..<800).map { _ in any(&random, depth: 0) })
  }()

  private static func any(_ random: inout ShapeGenerator, depth: Int) -> AnyValue {
    switch random.number(0..<(depth < 4 ? 8 : 5)) {
    case 0: return .null
    case 1: return .bool(random.chance(50))
    case 2: return .int(random.number(-1000..<1_000_000))
    case 3: return .double(Double(random.number(0..<1_000_000)) / 1000 + 0.0005)
    case 4: return .string(random.words(1..<4))
    case 5: return .array(random.list(0..<6) { any(&$0, depth: depth + 1) })
    default:
      return .object(Dictionary(random.list(1..<7) { ($0.word(), any(&$0, depth: depth + 1)) }) { first, _ in first })
    }
  }

  static let tracks: [AnimationTrack] = {
    var random = ShapeGenerator(seed: seed + 4)
    return (0..<200).map { _ in
      AnimationTrack(
        name: random.word(),
        keyframes: random.list(10..<40) { random in
          AnimationTrack.Keyframe(
            time: random.decimal(), value: random.chance(80) ? random.list(1..<5) { $0.decimal() } : nil,
            easing: random.list(0..<3) { $0.list(2..<3) { $0.decimal() } })
        })
    }
  }()

  static let logLines: [LogLine] = {
    var random = ShapeGenerator(seed: seed + 5)
    return (0..<2000).map { _ in
      LogLine(
        time: "2026-11-23T12:\(random.number(10..<60)):\(random.number(10..<60)).\(random.number(100..<1000))Z",
        level: ["info", "debug", "error"][random.number(0..<3)], message: random.text(50..<120),
        logger: random.word(), request: random.chance(60) ? random.words(1..<2) : nil, milliseconds: random.decimal(),
        status: random.number(200..<505))
    }
  }()

  static let offices: [Postamt] = {
    var random = ShapeGenerator(seed: seed + 6)
    return (0..<2000).map { _ in
      Postamt(
        größe: random.number(0..<1000), straße: "Große Straße \(random.number(1..<99))",
        öffnungszeiten: random.list(1..<6) { "täglich von \($0.number(8..<12)) bis \($0.number(14..<20)) Uhr" },
        名前: ["東京中央郵便局", "札幌", "大阪北郵便局"][random.number(0..<3)], город: random.chance(50) ? "Санкт-Петербург" : nil)
    }
  }()

  static let comments: [Comment] = {
    var random = ShapeGenerator(seed: seed + 7)
    return (0..<500).map { _ in comment(&random, depth: 0) }
  }()

  private static func comment(_ random: inout ShapeGenerator, depth: Int) -> Comment {
    Comment(
      text: random.words(2..<12), author: random.word(), votes: random.number(-5..<500),
      replies: depth < 8 ? random.list(0..<4) { comment(&$0, depth: depth + 1 + $0.number(0..<4)) } : [])
  }

  static let readings: [Reading] = {
    var random = ShapeGenerator(seed: seed + 8)
    return (0..<5000).map { _ in
      Reading(
        altitude: random.number(0..<4000), battery: random.decimal(), city: random.word(),
        device: random.number(0..<1_000_000), isValid: random.chance(90), latitude: random.decimal(),
        longitude: random.decimal(), pressure: random.number(900..<1100), station: random.words(1..<3),
        temperature: random.decimal())
    }
  }()

  static let profiles: [Profile] = {
    var random = ShapeGenerator(seed: seed + 9)
    return (0..<5000).map { id in
      func word() -> String? { random.chance(30) ? random.word() : nil }
      func number() -> Int? { random.chance(30) ? random.number(0..<100_000) : nil }
      func bool() -> Bool? { random.chance(30) ? random.chance(50) : nil }
      return Profile(
        id: id, name: word(), nickname: word(), email: word(), phone: word(), city: word(), country: word(),
        company: word(), title: word(), website: word(), avatar: word(), age: number(), followers: number(),
        points: number(), isVerified: bool(), isPrivate: bool(), rating: random.chance(30) ? random.decimal() : nil)
    }
  }()

  static let polygons: [Polygon] = {
    var random = ShapeGenerator(seed: seed + 10)
    return (0..<1000).map { _ in
      Polygon(
        points: random.list(3..<40) { Polygon.Point(x: $0.number(-5000..<5000), y: $0.number(-5000..<5000)) })
    }
  }()

  static let orders: [Order] = {
    var random = ShapeGenerator(seed: seed + 11)
    return (0..<3000).map { number in
      let city = Order.City(
        zip: random.number(10_000..<100_000), name: random.word(), country: Order.Country(code: random.word()))
      return Order(
        status: Order.Status.allCases[random.number(0..<3)], number: number,
        customer: Order.Customer(
          name: random.words(2..<4), address: Order.Address(street: random.words(1..<3), city: city)),
        totals: ["net": [random.word(): random.number(0..<1000)], "tax": [random.word(): random.number(0..<1000)]])
    }
  }()

  /// With the members in the order of their names, which is not the order of any type.
  static func document(_ value: some Encodable) -> Data {
    let encoder = JSONBytesEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do { return try encoder.encode(value) } catch { fatalError("\(error)") }
  }
}
