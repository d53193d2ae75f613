import Decoding
import Testing

@Suite struct JSONPointerTests {
  @Test(arguments: [
    ("$", ""), ("foo", "/foo"), ("foo[0]", "/foo/0"), ("['']", "/"), ("['a/b']", "/a~1b"), ("['m~n']", "/m~0n"),
    ("['~1']", "/~01"), ("['c%d'][' ']", "/c%d/ "), ("['01']", "/01"),
  ])
  func `a singular path has a pointer that leads back to it`(text: String, pointer: String) throws {
    let path = try JSONPath(parsing: text)
    #expect(path.pointer == pointer)
    #expect(try JSONPath(pointer: pointer) == path)
  }

  @Test func `a path with a negative index, a wildcard or an error has no pointer`() {
    #expect(JSONPath("a[-1]").pointer == nil)
    #expect(JSONPath("a[*]").pointer == nil)
    #expect(JSONPath("a[").pointer == nil)
  }

  @Test func `a pointer token too large for an index is a name`() throws {
    #expect(try JSONPath(pointer: "/99999999999999999999") == "['99999999999999999999']")
  }

  @Test(arguments: [("a", 1), ("/a~2", 3), ("/a~", 3)])
  func `an invalid pointer is refused with the column`(text: String, column: Int) {
    let error = #expect(throws: JSONPathError.self) { try JSONPath(pointer: text) }
    #expect(error?.column == column)
  }

  @Test func `a pointer may have as many steps as a path`() {
    #expect(throws: JSONPathError.self) { try JSONPath(pointer: String(repeating: "/a", count: 513)) }
  }
}
