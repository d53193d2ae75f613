/// A set of Unicode scalars: what one step of a regular expression accepts.
struct ScalarClass: Hashable, Sendable {
  var ranges: [ClosedRange<UInt32>] = []
  var categories: [Category] = []
  var isNegated = false

  /// `\p{Lu}` and `\P{Lu}`: a general category, or all that start with the same letter.
  struct Category: Hashable, Sendable {
    var name: String
    var isNegated: Bool
  }

  init() {}

  init(_ scalar: UInt32) { ranges = [scalar...scalar] }

  /// `.`: everything but the two line ends.
  static let any: ScalarClass = {
    var set = ScalarClass()
    set.ranges = [0x0A...0x0A, 0x0D...0x0D]
    set.isNegated = true
    return set
  }()

  func contains(_ scalar: UInt32) -> Bool {
    let isListed =
      ranges.contains { $0.contains(scalar) }
      || categories.contains { Self.isScalar(scalar, of: $0.name) != $0.isNegated }
    return isListed != isNegated
  }

  private static func isScalar(_ value: UInt32, of category: String) -> Bool {
    // Half of a surrogate pair has the category Cs.
    let name = Unicode.Scalar(value).map { Self.name(of: $0.properties.generalCategory) } ?? "Cs"
    return name.hasPrefix(category)
  }

  private static func name(of category: Unicode.GeneralCategory) -> String {
    switch category {
    case .uppercaseLetter: "Lu"
    case .lowercaseLetter: "Ll"
    case .titlecaseLetter: "Lt"
    case .modifierLetter: "Lm"
    case .otherLetter: "Lo"
    case .nonspacingMark: "Mn"
    case .spacingMark: "Mc"
    case .enclosingMark: "Me"
    case .decimalNumber: "Nd"
    case .letterNumber: "Nl"
    case .otherNumber: "No"
    case .connectorPunctuation: "Pc"
    case .dashPunctuation: "Pd"
    case .openPunctuation: "Ps"
    case .closePunctuation: "Pe"
    case .initialPunctuation: "Pi"
    case .finalPunctuation: "Pf"
    case .otherPunctuation: "Po"
    case .mathSymbol: "Sm"
    case .currencySymbol: "Sc"
    case .modifierSymbol: "Sk"
    case .otherSymbol: "So"
    case .spaceSeparator: "Zs"
    case .lineSeparator: "Zl"
    case .paragraphSeparator: "Zp"
    case .control: "Cc"
    case .format: "Cf"
    case .surrogate: "Cs"
    case .privateUse: "Co"
    case .unassigned: "Cn"
    @unknown default: "Cn"
    }
  }

  static let categoryNames: Set<String> = [
    "L", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn", "N", "Nd", "Nl", "No", "P", "Pc", "Pd", "Pe", "Pf", "Pi",
    "Po", "Ps", "Z", "Zl", "Zp", "Zs", "S", "Sc", "Sk", "Sm", "So", "C", "Cc", "Cf", "Cn", "Co",
  ]
}
