extension SQLGenerator {
  /// Operands of the same operation are joined without nesting: SQLite accepts only about 90 levels of parentheses.
  mutating func chain(
    _ expression: QueryExpression, _ word: String, failing: (Set<Int>, Set<Int>) -> Set<Int>
  ) throws(UnsupportedQueryError) -> SQLFragment {
    var texts: [String] = []
    var result: SQLFragment?
    for operand in expression.operands {
      let part = try condition(operand)
      texts.append(part.sql)
      guard let before = result else {
        result = part
        continue
      }
      result = .condition(
        "", isNullable: before.isNullable || part.isNullable, failing: failing(before.failing, part.failing))
    }
    guard var result else { return .never }
    result.sql = SQLGenerator.joined(texts, " \(word) ")
    return result
  }

  /// A chain counts as one level for each operand, and SQLite accepts 1000 levels.
  static func joined(_ texts: [String], _ word: String) -> String {
    let limit = 200
    if texts.count == 1 { return texts[0] }
    guard texts.count > limit else { return "(\(texts.joined(separator: word)))" }
    let groups = stride(from: 0, to: texts.count, by: limit).map { start in
      joined(Array(texts[start..<min(start + limit, texts.count)]), word)
    }
    return joined(groups, word)
  }
}
