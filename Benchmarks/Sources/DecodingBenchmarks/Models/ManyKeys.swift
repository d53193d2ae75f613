/// An object with very many members, asked for from the last to the first.
struct ManyKeys: Decodable, Equatable {
  static let count = 16_000

  var sum = 0

  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    for index in (0..<Self.count).reversed() {
      sum = sum &* 31 &+ (try container.decode(Int.self, forKey: Key(stringValue: "some key \(index)")))
    }
  }
}
