/// The `Content-Range` of a partial response (RFC 9110 §14.4): `bytes 0-99/1000` or `bytes 0-99/*`.
struct ContentRange: Equatable {
  var first: Int64
  var last: Int64
  var total: Int64?

  init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: true)
    guard words.count == 2, words[0].equalsIgnoringASCIICase("bytes") else { return nil }
    let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let bounds = parts[0].split(separator: "-", omittingEmptySubsequences: false).map(Self.number)
    guard bounds.count == 2, let first = bounds[0], let last = bounds[1], first <= last, last < .max else { return nil }
    (self.first, self.last) = (first, last)
    guard parts[1] != "*" else { return }
    guard let total = Self.number(parts[1]), last < total else { return nil }
    self.total = total
  }

  static func number(_ text: some StringProtocol) -> Int64? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
  }
}
