import Testing

@testable import Decoding

/// What the compliance suite does not ask: early stops, limits, malformed documents, exactness. Runs without fixtures.
@Suite struct PathEvaluationTests {
  func select(_ path: String, _ text: String, first: Bool = false) throws -> [(path: String, text: String)] {
    let path = try JSONPath(parsing: path)
    return try Array(text.utf8).withUnsafeBytes { bytes in
      try DecodingTests.select(path, in: bytes, first: first).map {
        ($0.path.description, String(decoding: bytes[$0.range], as: UTF8.self))
      }
    }
  }

  func texts(_ path: String, _ text: String) throws -> [String] { try select(path, text).map(\.text) }

  @Test func `a selection of the standard's examples gives the standard's results`() throws {
    let store = """
      {"store": {"book": [
        {"category": "reference", "author": "Rees", "title": "Sayings", "price": 8.95},
        {"category": "fiction", "author": "Waugh", "title": "Sword", "price": 12.99},
        {"category": "fiction", "author": "Melville", "title": "Moby Dick", "isbn": "0-553", "price": 8.99}],
       "bicycle": {"color": "red", "price": 399}}}
      """
    #expect(try texts("$.store.book[*].author", store) == [#""Rees""#, #""Waugh""#, #""Melville""#])
    #expect(try texts("$..author", store).count == 3)
    #expect(try texts("$.store.*", store).count == 2)
    #expect(try texts("$.store..price", store) == ["8.95", "12.99", "8.99", "399"])
    #expect(try texts("$..book[2].title", store) == [#""Moby Dick""#])
    #expect(try texts("$..book[-1].title", store) == [#""Moby Dick""#])
    #expect(try texts("$..book[0, 1].price", store) == ["8.95", "12.99"])
    #expect(try texts("$..book[:2].price", store) == ["8.95", "12.99"])
    #expect(try texts("$..book[?@.isbn].title", store) == [#""Moby Dick""#])
    #expect(try texts("$..book[?@.price < 10].title", store) == [#""Sayings""#, #""Moby Dick""#])
    #expect(try texts("$..book[?search(@.author, 'e+s')].title", store) == [#""Sayings""#])
    #expect(try texts("$..book[?match(@.category, 'f.*') && length(@.title) > 5].price", store) == ["8.99"])
    #expect(try texts("$.store[?count(@.*) == 2].color", store) == [#""red""#])
    #expect(try texts("$..*", store).count == 21)
  }

  @Test func `selected nodes are in the standard's order, with their paths`() throws {
    let selected = try select("$..[*]", #"{"a": [1, {"b": 2}], "c": 3}"#)
    #expect(
      selected.map(\.path) == ["$['a']", "$['c']", "$['a'][0]", "$['a'][1]", "$['a'][1]['b']"])
    #expect(try select("$['a','a'][0,0]", #"{"a": [7]}"#).count == 4)
    #expect(try select(#"$['\u0074ype']"#, #"{"\u0074ype": 1}"#).map(\.path) == ["$['type']"])
  }

  @Test func `a search for one node reads nothing after the first match`() throws {
    #expect(try select("$.a[?@.b == 1]", #"{"a": [{"b": 1}, nonsense"#, first: true).map(\.text) == [#"{"b": 1}"#])
    #expect(throws: EvaluationError.self) { try select("$.a[?@.b == 2]", #"{"a": [{"b": 1}, nonsense"#, first: true) }
  }

  @Test func `a name selects the first duplicate member, and a wildcard selects all`() throws {
    #expect(try texts("$.a", #"{"a": 1, "a": 2}"#) == ["1"])
    #expect(try texts("$.*", #"{"a": 1, "a": 2}"#) == ["1", "2"])
  }

  @Test func `comparisons in filters are exact`() throws {
    let numbers = "[9007199254740992, 9007199254740993, 9007199254740993.0, 1e400, 0.1, 1e-1]"
    #expect(try texts("$[?@ == 9007199254740993]", numbers) == ["9007199254740993", "9007199254740993.0"])
    #expect(try texts("$[?@ == 0.1]", numbers) == ["0.1", "1e-1"])
    #expect(try texts("$[?@ > 9007199254740993]", numbers) == ["1e400"])
    #expect(try texts(#"$[?@ == "\u00e9"]"#, "[\"\u{E9}\", \"e\u{301}\", \"\\u00E9\"]").count == 2)
    #expect(try texts("$[?@ < 'b']", #"["a", "b", "\u0061", 1]"#).count == 2)
    #expect(
      try texts("$[?@.a == @.b]", #"[{"a": {"x": [1, 2], "y": null}, "b": {"y": null, "x": [1.0, 2]}}]"#).count == 1)
    #expect(
      try texts("$[?@.a == @.b]", #"[{"a": [1], "b": [1, 2]}, {"a": {"x": 1}, "b": {"y": 1}}, {"a": [], "b": {}}]"#)
        .isEmpty)
    #expect(try texts("$[?length(@) == 1]", #"["𝄞", "\uD834\uDD1E", "\uD800", [1], {"a": 1}, "ab", 1]"#).count == 5)
  }

  @Test func `a root query in a filter is evaluated once`() throws {
    // 2 000 elements that each ask for the whole document would be 4 000 000 values; the budget allows it once.
    let text = #"{"list": [\#(Array(repeating: "1", count: 2000).joined(separator: ","))], "want": 1}"#
    #expect(try count("$.list[?@ == $.want]", text, limit: 400_000) == 2000)
    #expect(try count("$.list[?count($..*) > 3]", text, limit: 800_000) == 2000)
  }

  @Test func `a descendant segment visits each byte once at any depth`() throws {
    let depth = 500
    let text = String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
    #expect(try count("$..a", text, limit: 150_000) == depth)
    #expect(try count("$..[?@.a == 1]", text, limit: 200_000) == 1)
  }

  @Test(arguments: ["$..*..*..*", "$..[*,*]..[*,*]..[*,*]", "$..[?count(@..*) > 1]..*..*"])
  func `a path that needs too much work is stopped`(path: String) {
    let text = String(repeating: "[", count: 300) + "1" + String(repeating: ",1]", count: 300)
    #expect(throws: EvaluationError.self) { try count(path, text, limit: 500_000) }
  }

  @Test func `deep documents and deep paths reach limits without a crash`() throws {
    let brackets = String(repeating: "[", count: 100_000)
    for path in ["$..*", "$[0][0]", "$[?@ == 1]", "$[?@ == @]", "$[*][*]"] {
      #expect(throws: EvaluationError.self) { try select(path, brackets) }
    }
    let wildcards = "$" + String(repeating: "[*]", count: 500)
    #expect(throws: EvaluationError.self) {
      try select(wildcards, String(repeating: "[", count: 510) + String(repeating: "]", count: 510))
    }
    let filters = "$" + String(repeating: "[?@", count: 60) + String(repeating: "]", count: 60)
    #expect(try select(filters, String(repeating: "[", count: 80) + String(repeating: "]", count: 80)).count == 1)
  }

  @Test(arguments: ["", "[", "[1,]", "[1, tru]", "[\"\\x\"]", "[\"\u{1}\"]", "[1 2]", "]", "[[1, {]"])
  func `a malformed document is an error wherever it is read`(text: String) {
    for path in ["$..*", "$[*]", "$[?@ == 1]", "$[5]", "$[-1]", "$[::-1]"] {
      #expect(throws: EvaluationError.self, "\(path)") { try select(path, text) }
    }
  }

  @Test(arguments: ["{", "{\"a\" 1}", "{\"a\": 1,}", "{\"a\": }", "{1: 2}", "{\"a\": 1 \"b\": 2}"])
  func `a malformed object is an error wherever it is read`(text: String) {
    for path in ["$..*", "$.*", "$[?@ == 1]", "$.c"] {
      #expect(throws: EvaluationError.self, "\(path)") { try select(path, text) }
    }
  }

  @Test func `regular expressions from the document are matched, and malformed ones match nothing`() throws {
    let text = #"[{"p": "a+", "s": "aaa"}, {"p": "(", "s": "("}, {"p": 1, "s": "1"}, {"p": "a{2}{3}", "s": "aa"}]"#
    #expect(try select("$[?match(@.s, @.p)]", text).map(\.path) == ["$[0]"])
    let large = #"[{"p": "(a{1000}){1000}", "s": "a"}]"#
    #expect(throws: EvaluationError.self) { try select("$[?match(@.s, @.p)]", large) }
  }

  @Test func `decoding a selected value keeps nothing of the one before`() throws {
    try Array("[[1],[2],[3]]".utf8).withUnsafeBytes { bytes in
      let state = DecodingState()
      state.begin(ByteView(bytes))
      for start in [1, 5, 9] {
        let part = TextPart(text: ByteView(bytes), start: start, origin: .match(depth: 1))
        let values = try state.decode([Int].self, part)
        #expect(values.count == 1)
        #expect(state.scanner.core.pointee.nodeCount == 1)
      }
    }
  }
}
