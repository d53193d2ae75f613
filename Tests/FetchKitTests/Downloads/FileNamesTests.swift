import LarderTestSupport
import Testing

@testable import FetchKit

@Suite struct FileNamesTests {
  @Test(arguments: [
    ("photo.jpg", "photo.jpg"), ("a/b", "a%2Fb"), ("..", "%2E."), (".hidden", "%2Ehidden"), ("ü", "%C3%BC"),
    ("a%2Fb", "a%252Fb"), ("a\u{0}b", "a%00b"),
  ]) func `a download's name becomes one path component`(name: String, expected: String) {
    #expect(FileNames.component(for: name) == expected)
  }

  @Test func `long download names stay different`() {
    let long = String(repeating: "x", count: 1000)
    let names = [long, long + "y", String(repeating: "ü", count: 500)].map(FileNames.component)
    #expect(Set(names).count == 3)
    #expect(names.allSatisfy { $0.utf8.count <= 200 })
  }

  @Test(
    arguments: [
      ("attachment; filename=\"report.pdf\"", "report.pdf"),
      ("attachment; filename=report.pdf", "report.pdf"),
      ("attachment; filename=\"a.txt\"; filename*=UTF-8''%e2%82%ac.txt", "€.txt"),
      ("attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd", "passwd"),
      ("attachment; filename=\"../../etc/passwd\"", "passwd"),
      ("attachment; filename=\"..\\\\..\\\\boot.ini\"", "boot.ini"),
      ("attachment; filename=\"/\"", nil),
      ("attachment; filename=\"..\"", nil),
      ("attachment; filename=\".bashrc\"", "bashrc"),
      ("attachment; filename=\"a\u{202E}gpj.exe\"", "agpj.exe"),
      ("attachment; filename=\"say \\\"hi\\\".txt\"", "say \"hi\".txt"),
      ("attachment; filename=\"unfinished", "unfinished"),
      ("attachment; filename*=latin1''x; filename=y", "y"),
      ("attachment", nil), ("", nil), (";;;=;", nil),
    ] as [(String, String?)]) func `a server's suggested file name becomes harmless`(field: String, expected: String?)
  {
    #expect(FileNames.suggested(by: ["Content-Disposition": field]) == expected)
  }

  @Test func `a suggested name stays one path component, whatever marks follow its separators`() {
    let seed = UInt64.random(in: 0...(.max))
    print("suggested file names: seed \(seed)")
    var generator = SplitMix(seed: seed)
    let pieces = ["/", "\\", ".", "..", ":", "\u{200D}", "\u{301}", "\u{FE0F}", "\r", "\n", "a", " ", "é"]
    for _ in 0..<5000 {
      let name = (0..<Int.random(in: 1..<12, using: &generator)).map { _ in
        pieces.randomElement(using: &generator) ?? ""
      }.joined()
      guard let clean = FileNames.harmless(name) else { continue }
      let scalars = Array(clean.unicodeScalars)
      #expect(!scalars.contains { "/\\:\r\n".unicodeScalars.contains($0) } && scalars.first != ".", "\(scalars)")
    }
    let field = "attachment; filename*=UTF-8''x%2F%E2%80%8D..%2F%E2%80%8D..%2F%E2%80%8Detc%2F%E2%80%8Dpasswd"
    #expect(FileNames.suggested(by: ["Content-Disposition": field]) == "passwd")
    let quoted = "attachment; filename=\u{301}\"a\"\u{301}; filename*=UTF-8'\u{301}'b"
    #expect(FileNames.suggested(by: ["Content-Disposition": quoted]) == "b")
  }

  @Test func `a suggested file name of any length becomes short`() {
    let field = "attachment; filename=\"\(String(repeating: "é", count: 5000))\""
    #expect(FileNames.suggested(by: ["Content-Disposition": field])?.utf8.count == 200)
  }
}
