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

  @Test func `options and flags may stand anywhere between the words`() throws {
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

  @Test func `what may be repeated keeps all its values`() throws {
    #expect(try parse("--add", "3", "--add=1").all("add") == ["3", "1"])
  }

  @Test(arguments: [
    (["--nonsense"], "unknown option --nonsense"), (["--member"], "--member takes a value"),
    (["--member", "a", "--member", "b"], "--member is given twice"), (["--json=1"], "--json takes no value"),
  ])
  func `what it does not understand it names`(line: [String], message: String) {
    #expect(throws: UsageError.self) { try Arguments(line, options: Self.options) }
    do {
      _ = try Arguments(line, options: Self.options)
    } catch {
      #expect(error.description == message)
    }
  }
}
