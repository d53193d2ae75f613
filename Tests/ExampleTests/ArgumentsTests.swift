import ExampleSupport
import Testing

@Suite struct ArgumentsTests {
  private func parse(_ line: String...) throws -> Arguments {
    try Arguments(line, options: ["member", "store"], flags: ["json"])
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

  @Test(arguments: [
    (["--nonsense"], "unknown option --nonsense"), (["--member"], "--member takes a value"),
    (["--member", "a", "--member", "b"], "--member is given twice"), (["--json=1"], "unknown option --json"),
  ])
  func `what it does not understand it names`(line: [String], message: String) {
    #expect(throws: UsageError.self) { try Arguments(line, options: ["member"], flags: ["json"]) }
    do {
      _ = try Arguments(line, options: ["member"], flags: ["json"])
    } catch {
      #expect(error.description == message)
    }
  }
}
