import Foundation

/// 10 MB of objects to search, from a seed: texts, numbers, small arrays and objects, as shops send them.
enum Inventory {
  static let seed: UInt64 = 21

  static let document: Data = {
    var random = Random(state: seed)
    var text = #"{"items":["#
    var count = 0
    while text.utf8.count < 10_000_000 {
      if count > 0 { text += "," }
      text += item(count, &random)
      count += 1
    }
    return Data((text + #"],"count":\#(count)}"#).utf8)
  }()

  private static func item(_ number: Int, _ random: inout Random) -> String {
    let kind = ["book", "record", "poster", "game"][random.below(4)]
    let tags = (0..<random.below(4)).map { _ in #""tag \#(random.below(100))""# }.joined(separator: ",")
    return #"""
      {"id":\#(number),"kind":"\#(kind)","title":"Title \#(random.below(1_000_000)) of a longer series",\#
      "price":\#(random.below(10_000)).\#(10 + random.below(90)),"tags":[\#(tags)],\#
      "stock":{"rooms":[\#(random.below(9)),\#(random.below(9))],\#
      "shelf":{"row":\#(random.below(50)),"column":\#(random.below(50))}},"isActive":true,"seller":null}
      """#
  }

  /// SplitMix64: the same numbers everywhere for the same seed.
  private struct Random {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
      state &+= 0x9E37_79B9_7F4A_7C15
      var word = state
      word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
      word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
      return Int((word ^ word >> 31) % UInt64(bound))
    }
  }
}
