import Testing

@testable import ExampleSupport

@Suite struct ArgumentsTests {
  private static let options = [
    CommandOption("member NAME", "who"), CommandOption("store FILE", "where"),
    CommandOption("add N", "which", repeatable: true),
    CommandOption("json", "how"),
  ]

  private func parse(_ line: String...) throws -> Arguments {
    try Arguments(line, options: Self.options)
  }

  @Test func `options and flags may appear anywhere between the words`() throws {
    let arguments = try parse("--json", "add", "--member", "Ada", "Fargo", "--store=a=b")
    #expect(arguments.words == ["add", "Fargo"])
    #expect(arguments.has("json"))
    #expect(arguments["member"] == "Ada")
    #expect(arguments["store"] == "a=b")
  }

  @Test func `two dashes end the options`() throws {
    let arguments = try parse("add", "--", "--json")
    #expect(arguments.words == ["add", "--json"])
    #expect(!arguments.has("json"))
  }

  @Test func `a repeatable option keeps all its values`() throws {
    #expect(try parse("--add", "3", "--add=1").all("add") == ["3", "1"])
  }

  @Test(arguments: [
    (["--nonsense"], "unknown option --nonsense"), (["--member"], "--member needs a value"),
    (["--member", "a", "--member", "b"], "--member can be given only once"),
    (["--json=1"], "--json does not accept a value"),
  ])
  func `the error for a wrong command line names the offending word`(line: [String], message: String) {
    #expect(throws: UsageError.self) { try Arguments(line, options: Self.options) }
    do {
      _ = try Arguments(line, options: Self.options)
    } catch {
      #expect(error.description == message)
    }
  }
}
