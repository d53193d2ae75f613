/// A path and a document that together would take very long or very much memory.
///
/// The benchmarks use this file too: tests count work and bytes, seconds are measured there.
struct Attack: Sendable {
  let name: String
  let path: String
  let document: @Sendable () -> String

  init(_ name: String, _ path: String, _ document: @escaping @Sendable () -> String) {
    self.name = name
    self.path = path
    self.document = document
  }
}

extension Attack {
  static let all = descendants + selectors + filters + comparisons + expressions

  private static let descendants = [
    Attack("descendants of descendants in 510 levels", "$..*..*..*") { nested(510, "1", closing: ",1]") },
    Attack("descendants of descendants in 200 levels", "$..*..*..*..*") { nested(200) },
    Attack("sixty descendant segments on 10 MB", "$" + repeated("..*", 60)) { list("[[[[1]]]]", 1_000_000) },
    Attack("descendants of empty arrays, 10 MB", "$..*..*") { list("[]", 3_300_000) },
    Attack("a descendant segment at each level", "$..a..a..a..a") { nestedObjects(500) },
    Attack("an index of 3 million arrays for one name", "$..a") { list("[]", 3_300_000) },
  ]

  private static let selectors = [
    Attack("the same index twice, thirty times", "$" + repeated("[0,0]", 30)) { nested(40) },
    Attack("the same wildcard twice, thirty times", "$" + repeated("[*,*]", 30)) { nested(40) },
    Attack("thousands of indices from the end", "$[\(joined("-1", 16_000))]") { numbers(5_000_000) },
    Attack("thousands of names that are not there", "$[\(joined("'x'", 12_000))]") { members(500_000) },
    Attack("thousands of reversed slices", "$[\(joined("::-1", 10_000))]") { numbers(5_000_000) },
    Attack("reversed slices at all levels", "$..[::-1]..[::-1]..[::-1]") { nested(300, "1", closing: ",1]") },
    Attack("the whole document, thousands of times", "$[\(joined("0", 30_000))]") { "[\(numbers(500_000))]" },
  ]

  private static let filters = [
    Attack("counting all descendants of all descendants", "$..[?count(@..*) > 1]..*") {
      nested(500, "1", closing: ",1]")
    },
    Attack("filters in filters", "$..[?@..[?@..[?@..x]]]") { nested(300, "1", closing: ",1]") },
    Attack("sixty nested filters", "$" + repeated("[?@", 60) + repeated("]", 60)) { bushy(levels: 18) },
    Attack("thousands of terms", "$[?\(Array(repeating: "@==1", count: 8_000).joined(separator: "||"))]") {
      list("2", 2_000_000)
    },
    Attack("thousands of queries from the root", "$[?\((0..<5_000).map { "@==$[\($0)]" }.joined(separator: "&&"))]") {
      list("\"x\"", 200_000)
    },
    Attack("every value's only descendant", "$..[?value(@..*) == 1]") { nested(500, "1", closing: ",1]") },
    Attack("the members of an object, counted for each of them", "$.*[?count($.*) > length(@)]") {
      members(300_000)
    },
  ]

  private static let comparisons = [
    Attack("every value with the whole document", "$..[?@ == $]") { nested(500, "1", closing: ",1]") },
    Attack("objects of many members with each other", "$[?@ == $[0]]") { list("{\(plainMembers(1_000))}", 800) },
    Attack("one object of very many members with itself", "$[?@.a == @.b]") {
      "[{\"a\":{\(plainMembers(300_000))},\"b\":{\(plainMembers(300_000))}}]"
    },
    Attack("a number of a million digits with each element", "$.list[?@ < $.number]") {
      "{\"number\":\(repeated("1", 1_000_000)),\"list\":\(list("1", 100_000))}"
    },
    Attack("a text of a million letters with each element", "$.list[?@ < $.text]") {
      "{\"text\":\"\(repeated("a", 1_000_000))\",\"list\":\(list("\"a\"", 100_000))}"
    },
    Attack("names with escapes", "$[?@ == $[1]]") {
      let object = "{\((0..<20_000).map { "\"\\u0061\($0)\":1" }.joined(separator: ","))}"
      return "[\(object),\(object)]"
    },
  ]

  private static let expressions = [
    Attack("a counted repetition", "$[?search(@,'a{1,1000}c')]") { texts("a") },
    Attack("a repetition of ten thousand", "$[?search(@,'a{9990}c')]") { texts("a") },
    Attack("repetitions of repetitions", "$[?match(@,'(((a*)*)*)*b')]") { texts("a") },
    Attack("thousands of optional pieces", "$[?search(@,'(a?){4000}b')]") { texts("a") },
    Attack("an automaton of 2^500 states", "$[?search(@,'(a|b)*a(a|b){500}c')]") { texts("ab") },
    Attack("many wildcards", "$[?match(@,'.*.*.*.*.*.*.*.*x')]") { texts("a") },
    Attack("a class of thousands of ranges", "$[?search(@,'[\(ranges(10_000))]x')]") { texts("\u{4DFF}") },
    Attack("a class of categories", "$[?search(@,'[^\\\\p{L}\\\\P{L}]')]") { texts("\u{4DFF}") },
    Attack("patterns from the document", "$[?match('a', @)]") {
      "[\((0..<2_000).map { "\"a{9\($0 % 1000)}b{\($0)}\(repeated("c", $0 % 97))\"" }.joined(separator: ","))]"
    },
    Attack("a pattern of 5 MB", "$[?match('a', @)]") { "[\"\(repeated("a", 5_000_000))\"]" },
  ]
}

private func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

private func joined(_ text: String, _ count: Int) -> String {
  Array(repeating: text, count: count).joined(separator: ",")
}

private func list(_ element: String, _ count: Int) -> String { "[\(joined(element, count))]" }

private func numbers(_ count: Int) -> String { list("1", count) }

private func nested(_ levels: Int, _ inner: String = "", closing: String = "]") -> String {
  repeated("[", levels) + inner + repeated(closing, levels)
}

private func nestedObjects(_ levels: Int) -> String {
  repeated("{\"a\":", levels) + "1" + repeated("}", levels)
}

/// Arrays of two arrays, and so on: two to the power of the levels.
private func bushy(levels: Int) -> String {
  levels == 0 ? "[]" : list(bushy(levels: levels - 1), 2)
}

private func plainMembers(_ count: Int) -> String {
  (0..<count).map { "\"member \($0)\":\($0)" }.joined(separator: ",")
}

private func members(_ count: Int) -> String { "{\(plainMembers(count))}" }

/// A megabyte of text, once.
private func texts(_ text: String) -> String { "[\"\(repeated(text, 1_000_000 / text.utf8.count))\"]" }

/// Single characters that are no neighbours.
private func ranges(_ count: UInt32) -> String {
  String(String.UnicodeScalarView((0..<count).compactMap { Unicode.Scalar(0x4E00 + $0 * 2) }))
}
