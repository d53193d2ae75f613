/// Random material for documents of one shape, the same for the same seed.
struct ShapeGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let mixed = (state ^ state >> 33) &* 0xFF51_AFD7_ED55_8CCD
    return mixed ^ mixed >> 29
  }

  mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }

  mutating func chance(_ percent: Int) -> Bool { number(0..<100) < percent }

  /// A number with some digits behind the point, as sensors and prices have them.
  mutating func decimal() -> Double { Double(number(-1_000_000..<1_000_000)) / [1, 10, 100, 1000][number(0..<4)] }

  mutating func list<Element>(_ range: Range<Int>, _ make: (inout Self) -> Element) -> [Element] {
    (0..<number(range)).map { _ in make(&self) }
  }

  mutating func word() -> String {
    String((0..<number(3..<11)).map { _ in "abcdefghijklmnopqrstuvwxyz"[number(0..<26)] })
  }

  mutating func words(_ range: Range<Int>) -> String { list(range) { $0.word() }.joined(separator: " ") }

  /// A text of so many bytes or a few more: a third each plain, with an escape after every eighth word, and in a
  /// language with other letters than ASCII's.
  mutating func text(_ bytes: Range<Int>) -> String {
    let length = number(bytes)
    let words = Self.languages[number(0..<Self.languages.count)]
    let kind = number(0..<3)
    var text = ""
    while text.utf8.count < length {
      text += kind == 2 ? words[number(0..<words.count)] : word()
      text += kind == 1 && chance(12) ? ["\n", "\"", "\\", "\t"][number(0..<4)] : " "
    }
    return text
  }

  private static let languages = [
    ["die", "Größe", "über", "wird", "später", "genannt", "für", "Bücher", "und", "Straßen"],
    ["кот", "сидит", "на", "окне", "и", "смотрит", "вдаль", "каждый", "вечер"],
    ["写真", "映画", "東京", "の", "図書館", "は", "新しい", "です", "😀"],
  ]
}

extension String {
  fileprivate subscript(_ offset: Int) -> Character { self[index(startIndex, offsetBy: offset)] }
}
