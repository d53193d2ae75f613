/// The words that a person has typed into a search field, in groups that must occur together.
struct SearchPhrases {
  /// The folded words of each phrase.
  private(set) var phrases: [[String]] = []
  /// Whether a quote closes the last phrase.
  private var endsWithQuote = false

  /// The number of words that count. FTS5 needs time in proportion to it.
  private static let maximumWords = 64

  init(_ typed: String) {
    var count = 0
    var isQuoted = false
    var isOpen = false
    var word = ""
    func isFull() -> Bool { count >= Self.maximumWords }

    func endWord() {
      defer { word = "" }
      if word.isEmpty || isFull() { return }
      if isOpen { phrases[phrases.count - 1].append(word) } else { phrases.append([word]) }
      isOpen = true
      endsWithQuote = false
      count += 1
    }

    // Folded first, because folding can take a character apart.
    for scalar in TextFolding.fold(typed).unicodeScalars {
      if isFull() { break }
      if TextFolding.isWordPart(scalar) {
        word.unicodeScalars.append(scalar)
        continue
      }
      endWord()
      if Self.quotes.contains(scalar) {
        endsWithQuote = isQuoted && isOpen
        isQuoted.toggle()
        isOpen = false
      } else if !isQuoted, scalar.properties.isWhitespace {
        isOpen = false
      }
    }
    endWord()
  }

  /// The text in FTS5's syntax. Its words contain only letters and digits.
  func match(completesLastWord: Bool) -> String {
    // An empty phrase matches nothing.
    if phrases.isEmpty { return "\"\"" }
    let texts = phrases.map { "\"\($0.joined(separator: " "))\"" }
    return texts.joined(separator: " AND ") + (completesLastWord && !endsWithQuote ? " *" : "")
  }

  /// Folds an expression, except for its operators, which are in upper case.
  static func foldedExpression(_ expression: String) -> String {
    var result = ""
    var word = ""
    var isQuoted = false
    func endWord() {
      let isOperator = !isQuoted && ["AND", "OR", "NOT", "NEAR"].contains(word)
      let folded = TextFolding.separated(TextFolding.fold(word))
      // Folding can leave nothing of a word, or punctuation that is syntax.
      let isBroken = folded.unicodeScalars.contains { $0 != " " && !TextFolding.isWordPart($0) }
      let isEmpty = folded.allSatisfy { $0 == " " }
      result += isOperator || isBroken || isEmpty ? word : folded
      word = ""
    }
    for scalar in expression.unicodeScalars {
      if scalar == "\"" {
        endWord()
        isQuoted.toggle()
        result.unicodeScalars.append(scalar)
      } else if scalar.isASCII, !TextFolding.isWordPart(scalar) {
        endWord()
        result.unicodeScalars.append(scalar)
      } else {
        word.unicodeScalars.append(scalar)
      }
    }
    endWord()
    return result
  }

  private static let quotes: Set<Unicode.Scalar> = ["\"", "\u{201C}", "\u{201D}", "\u{201E}"]
}
