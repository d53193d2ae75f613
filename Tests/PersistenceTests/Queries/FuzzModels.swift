import Foundation
import LarderTestSupport
import Persistence

final class Shelf: ManagedObject {
  @Attribute(.indexed) var name = ""
  @Attribute var size: Int?
  @ToMany(inverse: \Book.shelf) var books: RelatedObjects<Book>
}

final class Book: ManagedObject {
  @Attribute(.indexed) var int = 0
  @Attribute(.indexed) var maybeInt: Int?
  @Attribute var real = 0.0
  @Attribute(.indexed) var maybeReal: Double?
  @Attribute(.indexed) var text = ""
  @Attribute(.indexed) var maybeText: String?
  @Attribute var flag = false
  @Attribute var maybeFlag: Bool?
  @ToOne var shelf: Shelf?
  @ToMany(inverse: \Label.books) var labels: RelatedObjects<Label>
}

final class Label: ManagedObject {
  @Attribute(.indexed) var name = ""
  @Attribute var weight: Double?
  @ToMany var books: RelatedObjects<Book>
}

extension SplitMix {
  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &self)]
  }

  mutating func chance(_ part: Int) -> Bool { Int.random(in: 0..<part, using: &self) == 0 }
}

/// Values that often cause errors.
enum Hostile {
  static let integers = [
    0, 1, -1, 2, 7, -7, .min, .max, .min + 1, .max - 1, 1 << 53, (1 << 53) + 1, 1 << 31, -(1 << 31),
  ]
  static let reals = [
    0.0, -0.0, 1, -1, 1.5, 0.1 + 0.2, 0.3, .infinity, -.infinity, 0x1p63, -0x1p63, 0x1p53, 0x1p53 + 2, 1e308,
    .leastNonzeroMagnitude, 7,
  ]
  static let texts = [
    "", "a", "A", "ab", "aB", "é", "e\u{301}", "E", "ß", "ss", "SS", "🎬", "👨‍👩‍👧", "a\u{0}b", "a", "%", "_", "\\", "%a",
    "が",
    "か", "\u{10FFFF}", "\u{10FFFF}z", "zz", "İ", "i", "ς", "Σ", "10", "9", "\u{D7FF}", "\u{E000}", "\u{301}", "한",
  ]
  /// Texts that Swift and UTF-8 bytes compare alike.
  static let plainTexts = ["", "a", "A", "ab", "aB", "ba", "%", "_", "10", "9", "zz", "é", "🎬", "ß"]
}

extension ObjectSpace {
  /// Changes that stay pending, of some of the classes and of the pairs.
  func changeRandomBooks(texts: [String], _ random: inout SplitMix) throws {
    let (books, labels, shelves) = (try fetch(Book.self), try fetch(Label.self), try fetch(Shelf.self))
    if random.chance(2) {
      for book in books where random.chance(4) { book.setRandomValues(texts, &random) }
      for book in books where random.chance(6) { book.shelf = random.chance(3) ? nil : random.pick(shelves) }
      for book in books where random.chance(8) { delete(book) }
    }
    if random.chance(2) { insertRandomBooks(5, texts: texts, &random) }
    for label in labels where random.chance(4) { label.name = random.pick(texts) }
    for shelf in shelves where random.chance(4) { shelf.size = random.pick(Hostile.integers) }
    for book in books where !book.isDeleted && random.chance(3) {
      let label = random.pick(labels)
      if random.chance(2) { book.labels.insert(label) } else { label.books.remove(book) }
    }
    if random.chance(3) { delete(random.pick(labels)) }
    if random.chance(3) { delete(random.pick(shelves)) }
  }

  func insertRandomBooks(_ count: Int, texts: [String] = Hostile.texts, _ random: inout SplitMix) {
    let shelves = (0..<3).map { _ in insert(Shelf.self) }
    let labels = (0..<4).map { _ in insert(Label.self) }
    for shelf in shelves {
      shelf.name = random.pick(texts)
      shelf.size = random.chance(3) ? nil : random.pick(Hostile.integers)
    }
    for label in labels {
      label.name = random.pick(texts)
      label.weight = random.chance(3) ? nil : random.pick(Hostile.reals)
    }
    for _ in 0..<count {
      let book = insert(Book.self)
      book.setRandomValues(texts, &random)
      book.shelf = random.chance(4) ? nil : random.pick(shelves)
      for label in labels where random.chance(3) { book.labels.insert(label) }
    }
  }
}

extension Book {
  fileprivate func setRandomValues(_ texts: [String], _ random: inout SplitMix) {
    int = random.pick(Hostile.integers)
    maybeInt = random.chance(3) ? nil : random.pick(Hostile.integers)
    real = random.pick(Hostile.reals)
    maybeReal = random.chance(3) ? nil : random.pick(Hostile.reals)
    text = random.pick(texts)
    maybeText = random.chance(3) ? nil : random.pick(texts)
    flag = random.chance(2)
    maybeFlag = random.chance(3) ? nil : random.chance(2)
  }
}

/// The number of rounds and the seed: `LARDER_FUZZ_ROUNDS` and `LARDER_FUZZ_SEED` in the environment.
enum Fuzzing {
  static var rounds: Int { number("LARDER_FUZZ_ROUNDS").map { Int(clamping: $0) } ?? 10 }

  /// A short run always has the same seed, a longer one a random seed.
  static var seed: UInt64 {
    number("LARDER_FUZZ_SEED") ?? (number("LARDER_FUZZ_ROUNDS") == nil ? 2026 : .random(in: .min ... .max))
  }

  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
  }
}
