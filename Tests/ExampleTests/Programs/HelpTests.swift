import LarderTestSupport
import Testing

@Suite struct HelpTests {
  static let commands = [
    ("MustC", ["add", "members", "list", "refresh", "remove", "watch", "demo"]),
    ("Flickr", ["fetch", "photos", "photographers", "regions", "prune", "gallery", "demo"]),
    ("BookLab", ["search", "add", "list", "show", "remove", "thumbnails", "export", "type", "demo"]),
    ("ExampleServer", ["serve"]),
  ]

  @Test(arguments: commands) func `a program's help lists its commands in lines that fit a terminal`(
    name: String, commands: [String]
  ) async throws {
    let program = Program(name: name)
    let bare = try await program()
    let asked = try await program("--help")
    #expect(bare.text == asked.text)
    #expect(asked.status == 0)
    for command in commands { #expect(asked.text.contains("  \(name) \(command)")) }
    #expect(asked.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test(arguments: commands) func `each command's help says what it accepts and what it prints with --json`(
    name: String, commands: [String]
  ) async throws {
    for command in commands {
      let help = try await Program(name: name)(command, "--help")
      #expect(help.status == 0)
      #expect(help.text.hasPrefix("\(name) \(command)"))
      #expect(help.text.contains("With --json it prints\n  "))
      #expect(
        help.text.split(separator: "\n").allSatisfy { $0.count <= 80 || !$0.dropFirst(2).contains(" ") }, "\(help.text)"
      )
    }
  }
}
