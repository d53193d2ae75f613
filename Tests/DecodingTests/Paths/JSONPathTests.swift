import Testing

@testable import Decoding

@Suite struct JSONPathTests {
  @Test(arguments: [
    ("$", "$"),
    ("a", "$['a']"),
    ("$.a.b", "$['a']['b']"),
    ("volumeInfo.imageLinks.smallThumbnail", "$['volumeInfo']['imageLinks']['smallThumbnail']"),
    ("results[0].popularity", "$['results'][0]['popularity']"),
    ("['a.b'].c", "$['a.b']['c']"),
    ("[0]", "$[0]"),
    ("$[-1]", "$[-1]"),
    ("*", "$[*]"),
    ("$..author", "$..['author']"),
    ("..author", "$..['author']"),
    ("$..[0, 1]", "$..[0,1]"),
    ("a[1:5:2]", "$['a'][1:5:2]"),
    ("a[::]", "$['a'][:]"),
    ("$ .a [ 'b' , \"c\" ]", "$['a']['b','c']"),
    ("größe", "$['größe']"),
    ("$['\\u00e9\\n\\'\\u0001']", "$['é\\n\\'\\u0001']"),
    ("$['\\uD834\\uDD1E']", "$['𝄞']"),
    ("a[?@.type=='ISBN_13'].b", "$['a'][?@['type']=='ISBN_13']['b']"),
    ("a[?!@.b && (@.c > 1e3 || $.d)]", "$['a'][?!@['b'] && (@['c']>1e3 || $['d'])]"),
    ("a[?!(@.b == null)]", "$['a'][?!(@['b']==null)]"),
    ("a[?length(@.b) <= 3, ?match(@.c, 'x.*')]", "$['a'][?length(@['b'])<=3,?match(@['c'], 'x.*')]"),
    ("a[?count(@.*) != value($..b)]", "$['a'][?count(@[*])!=value($..['b'])]"),
  ])
  func `a path prints in one spelling, which parses to the same path`(text: String, printed: String) throws {
    let path = try JSONPath(parsing: text)
    #expect(path.description == printed)
    #expect(try JSONPath(parsing: printed) == path)
  }

  @Test(arguments: [
    ("", 1, "empty"),
    (" a", 1, "whitespace"),
    ("a ", 2, "whitespace"),
    ("$. a", 3, "whitespace"),
    ("a.", 3, "missing"),
    ("a..", 4, "missing"),
    ("a[", 3, "missing"),
    ("a[0", 4, "`]`"),
    ("a[]", 3, "selector"),
    ("a[01]", 3, "leading zero"),
    ("a[-0]", 3, "-0"),
    ("a[9007199254740992]", 3, "integer"),
    ("a[--1]", 4, "digit"),
    ("a-b", 2, "quotes"),
    ("1a", 1, "cannot start"),
    ("a['b", 3, "quote"),
    ("a['\\x']", 4, "followed by"),
    ("a['\\uD800']", 4, "surrogate"),
    ("a['\\u12G4']", 8, "hexadecimal"),
    ("a['\\\"']", 4, "quote"),
    ("größe[x]", 7, "selector"),
    ("a[?@.b=1]", 7, "=="),
    ("a[?true]", 4, "compared"),
    ("a[?@.* == 1]", 4, "singular"),
    ("a[?!@.b == 1]", 4, "negates"),
    ("a[?(@.b]", 8, "`)`"),
    ("a[?lenght(@.b) > 1]", 4, "unknown function"),
    ("a[?length(@.b)]", 4, "compared"),
    ("a[?length(@.*) > 1]", 11, "singular"),
    ("a[?count(1) > 1]", 10, "path"),
    ("a[?match(@.b) ]", 4, "two arguments"),
    ("a[?match(@.b, 'c') == true]", 4, "cannot be compared"),
    ("a[?@.b == 01]", 11, "leading zero"),
    ("a[?@.b == tru]", 11, "true"),
  ])
  func `an invalid path is refused with the column and reason`(text: String, column: Int, reason: String) {
    let error = #expect(throws: JSONPathError.self) { try JSONPath(parsing: text) }
    #expect(error?.column == column)
    #expect(error?.path == text)
    #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
  }

  @Test func `an invalid path literal keeps its error until its first use`() throws {
    let path: JSONPath = "results["
    #expect(path.description == "results[")
    #expect(!path.isSingular)
    let error = #expect(throws: JSONPathError.self) { try path.validated() }
    #expect(error?.description == "invalid path at column 9 of \"results[\": a selector and `]` are missing")
    #expect(try JSONPath("results").validated() == "$.results")
  }

  @Test func `a path literal is parsed once`() {
    func literal() -> JSONPath { "a.literal.parsed.once" }
    #expect(literal().compiled === literal().compiled)
  }

  @Test func `a path error's localizedDescription is its message`() throws {
    let error = try #require(throws: JSONPathError.self) { try JSONPath(parsing: "results[01]") }
    #expect(error.errorDescription == error.description)
  }

  @Test func `a single letter is a valid path literal`() {
    let path: JSONPath = "x"
    #expect(path == "$.x")
  }

  @Test func `paths are equal if their steps and bytes are`() throws {
    #expect(JSONPath("a.b") == JSONPath("$['a'][\"b\"]"))
    #expect(JSONPath("a.b").hashValue == JSONPath("$['a'].b").hashValue)
    #expect(JSONPath("a") != JSONPath("b"))
    let composed = try JSONPath(parsing: "caf\u{E9}")
    let decomposed = try JSONPath(parsing: "cafe\u{301}")
    #expect(composed != decomposed)
    #expect(JSONPath("a[") == JSONPath("a["))
    #expect(JSONPath("a[") != JSONPath("b["))
  }

  @Test(arguments: [
    ("$", true), ("a.b[0]['c']", true), ("a[-1]", true),
    ("a[*]", false), ("a[0,1]", false), ("a[:1]", false), ("..a", false), ("a[?@.b]", false),
  ])
  func `only paths of names and indices are singular`(text: String, isSingular: Bool) throws {
    #expect(try JSONPath(parsing: text).isSingular == isSingular)
  }

  @Test func `a path is limited in length, segments and nesting`() {
    let long = String(repeating: "a", count: 65_537)
    #expect(throws: JSONPathError.self) { try JSONPath(parsing: long) }
    let segments = Array(repeating: "a", count: 514).joined(separator: ".")
    #expect(throws: JSONPathError.self) { try JSONPath(parsing: segments) }
    for nested in [
      "a[?" + String(repeating: "(", count: 10_000), String(repeating: "[?@", count: 10_000),
      "[?" + String(repeating: "length(", count: 5_000),
    ] {
      let error = #expect(throws: JSONPathError.self) { try JSONPath(parsing: nested) }
      #expect(error?.reason.contains("64 levels") == true)
    }
  }

  @Test func `the error for a long path shows the relevant part`() throws {
    let name = String(repeating: "é", count: 1 << 19)
    let error = try #require(throws: JSONPathError.self) { try JSONPath(parsing: name) }
    #expect(error.description.utf8.count < 1000)
    #expect(error.path.utf8.count < 3000 && error.path.hasPrefix("éé"))
    let pointer = #expect(throws: JSONPathError.self) { try JSONPath(pointer: "/" + name + "/~2" + name) }
    #expect(pointer?.column == (1 << 19) + 3)
    #expect(pointer?.path.contains("é/~2é") == true && (pointer?.path.utf8.count ?? .max) < 3000)
    let middle = try #require(throws: JSONPathError.self) {
      try JSONPath(parsing: String(repeating: "a.", count: 200) + "b[01].c" + String(repeating: ".d", count: 100))
    }
    #expect(middle.description.contains("b[01].c"))
    #expect(middle.description.utf8.count < 400)
    #expect(middle.description.contains("column \(middle.column) of \"…"))
  }
}
