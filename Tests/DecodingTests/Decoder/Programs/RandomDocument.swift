import LarderTestSupport

/// Documents put together at random from what decoders find hard.
struct RandomDocument {
  static let names = ["a", "b", "c", "1", "2", "super", "a_b", "aB", "é"]

  private static let scalars = [
    "0", "1", "7", "-3", "300", "1.5", "-0.25", "1e2", "1e400", "true", "false", "null", "null", #""x""#, #""""#,
    #""7""#, #""http://a.example/b""#, #""aGVsbG8=""#, #""a\u00e9\n""#, #""漢😀""#, #""\ud800""#, "9007199254740993",
  ]

  private(set) var text = ""
  private var random: SplitMix

  init(seed: UInt64) {
    random = SplitMix(seed: seed)
    // A scalar alone has little to ask for.
    if number(in: 0..<12) == 0 { scalar() } else { container(depth: 0) }
  }

  private mutating func number(in range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  private mutating func value(depth: Int) {
    if depth < 4, number(in: 0..<5) < 3 { container(depth: depth) } else { scalar() }
  }

  private mutating func scalar() { text += Self.scalars[number(in: 0..<Self.scalars.count)] }

  private mutating func container(depth: Int) {
    let isObject = number(in: 0..<5) < 3
    // Objects of many members are found through a table.
    let isLarge = isObject && number(in: 0..<12) == 0
    let count = isLarge ? number(in: 30..<50) : number(in: 0..<5)
    text += isObject ? "{" : "["
    // Often of one kind, for arrays and dictionaries of one type.
    let kind = number(in: 0..<Self.scalars.count * 2)
    var names: Set<String> = []
    for index in 0..<count {
      if index > 0 { text += "," }
      space()
      if isObject { addName(isLarge ? index : nil, to: &names) }
      if kind < Self.scalars.count {
        text += Self.scalars[kind]
      } else if isLarge {
        scalar()
      } else {
        value(depth: depth + 1)
      }
      space()
    }
    text += isObject ? "}" : "]"
  }

  /// Adds a name that the object does not have: where names are equal, Foundation's dictionaries differ from ours.
  private mutating func addName(_ index: Int?, to names: inout Set<String>) {
    var name =
      if let index, number(in: 0..<3) > 0 { "key\(index)" } else { Self.names[number(in: 0..<Self.names.count)] }
    while !names.insert(name).inserted { name += "a" }
    text += number(in: 0..<6) == 0 && name == "a" ? #""\u0061""# : "\"\(name)\""
    space()
    text += ":"
    space()
  }

  private mutating func space() { if number(in: 0..<6) == 0 { text += number(in: 0..<2) == 0 ? " " : "\n\t " } }
}
