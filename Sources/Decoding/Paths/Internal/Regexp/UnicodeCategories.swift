/// Unicode's general categories as the bits of a word.
enum UnicodeCategories {
  /// The index in this list is the number of the bit.
  private static let list: [(name: String, category: Unicode.GeneralCategory)] = [
    ("Lu", .uppercaseLetter), ("Ll", .lowercaseLetter), ("Lt", .titlecaseLetter), ("Lm", .modifierLetter),
    ("Lo", .otherLetter), ("Mn", .nonspacingMark), ("Mc", .spacingMark), ("Me", .enclosingMark),
    ("Nd", .decimalNumber), ("Nl", .letterNumber), ("No", .otherNumber), ("Pc", .connectorPunctuation),
    ("Pd", .dashPunctuation), ("Ps", .openPunctuation), ("Pe", .closePunctuation), ("Pi", .initialPunctuation),
    ("Pf", .finalPunctuation), ("Po", .otherPunctuation), ("Sm", .mathSymbol), ("Sc", .currencySymbol),
    ("Sk", .modifierSymbol), ("So", .otherSymbol), ("Zs", .spaceSeparator), ("Zl", .lineSeparator),
    ("Zp", .paragraphSeparator), ("Cc", .control), ("Cf", .format), ("Co", .privateUse), ("Cn", .unassigned),
    ("Cs", .surrogate),
  ]
  private static let bits = Dictionary(
    uniqueKeysWithValues: list.enumerated().map { ($1.category, UInt32(1) << UInt32($0)) })

  static let all: UInt32 = (1 << UInt32(list.count)) - 1

  /// Returns the category with a name, or all that start with the same letter; nil for a name that RFC 9485 does not
  /// define.
  static func bits(named name: String) -> UInt32? {
    guard !name.isEmpty, name != "Cs" else { return nil }
    let bits = list.lazy.filter { $0.name.hasPrefix(name) }.reduce(UInt32(0)) { $0 | (Self.bits[$1.category] ?? 0) }
    return bits == 0 ? nil : bits
  }

  /// An unpaired surrogate is not a scalar and has the category Cs.
  static func bit(of scalar: UInt32) -> UInt32 {
    bits[Unicode.Scalar(scalar)?.properties.generalCategory ?? .surrogate, default: 0]
  }
}
