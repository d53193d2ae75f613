/// Unicode's general categories as the bits of a word.
enum UnicodeCategories {
  /// The index in this list is the number of the bit.
  private static let names = [
    "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sm",
    "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Co", "Cn", "Cs",
  ]

  static let all: UInt32 = (1 << UInt32(names.count)) - 1

  /// Returns the category with a name, or all that start with the same letter; nil for a name that RFC 9485 does not
  /// define.
  static func bits(named name: String) -> UInt32? {
    guard !name.isEmpty, name != "Cs" else { return nil }
    var bits: UInt32 = 0
    for (index, category) in names.enumerated() where category.hasPrefix(name) { bits |= 1 << UInt32(index) }
    return bits == 0 ? nil : bits
  }

  static func bit(of scalar: UInt32) -> UInt32 {
    // An unpaired surrogate has the category Cs, the last in the list.
    1 << (Unicode.Scalar(scalar).map { number(of: $0.properties.generalCategory) } ?? 29)
  }

  private static func number(of category: Unicode.GeneralCategory) -> UInt32 {
    switch category {
    case .uppercaseLetter: 0
    case .lowercaseLetter: 1
    case .titlecaseLetter: 2
    case .modifierLetter: 3
    case .otherLetter: 4
    case .nonspacingMark: 5
    case .spacingMark: 6
    case .enclosingMark: 7
    case .decimalNumber: 8
    case .letterNumber: 9
    case .otherNumber: 10
    case .connectorPunctuation: 11
    case .dashPunctuation: 12
    case .openPunctuation: 13
    case .closePunctuation: 14
    case .initialPunctuation: 15
    case .finalPunctuation: 16
    case .otherPunctuation: 17
    case .mathSymbol: 18
    case .currencySymbol: 19
    case .modifierSymbol: 20
    case .otherSymbol: 21
    case .spaceSeparator: 22
    case .lineSeparator: 23
    case .paragraphSeparator: 24
    case .control: 25
    case .format: 26
    case .privateUse: 27
    case .unassigned: 28
    case .surrogate: 29
    @unknown default: 28
    }
  }
}
