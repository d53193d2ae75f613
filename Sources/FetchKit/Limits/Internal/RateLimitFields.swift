/// Reads the limits reported by a server.
enum RateLimitFields {
  /// Returns the tightest limit in `RateLimit` (`"name";r=remaining;t=seconds`), with the quota of the same name in
  /// `RateLimit-Policy` (`"name";q=quota;w=seconds`). Falls back to the fields of the older drafts. Nil if no limit can
  /// be read.
  static func allowance(in headers: HTTPHeaders, now: Duration) -> RateLimitState.Allowance? {
    var tightest: (name: Substring, remaining: Int, seconds: Int)?
    for item in items(named: "RateLimit", in: headers) {
      guard let remaining = item.parameters["r"], let seconds = item.parameters["t"] else { continue }
      if let tightest, (tightest.remaining, seconds) <= (remaining, tightest.seconds) { continue }
      tightest = (item.name, remaining, seconds)
    }
    if let tightest {
      let policy = items(named: "RateLimit-Policy", in: headers).first { $0.name == tightest.name }
      return RateLimitState.Allowance(
        remaining: tightest.remaining, reset: now + .seconds(tightest.seconds), quota: policy?.parameters["q"],
        window: policy?.parameters["w"].map { .seconds($0) })
    }
    guard let remaining = headers["RateLimit-Remaining"].flatMap({ CacheControl.seconds($0) }),
      let seconds = headers["RateLimit-Reset"].flatMap({ CacheControl.seconds($0) })
    else { return nil }
    return RateLimitState.Allowance(remaining: remaining, reset: now + .seconds(seconds))
  }

  private struct Item {
    var name: Substring
    var parameters: [Substring: Int] = [:]
  }

  /// Returns the members of a structured field (RFC 9651 §3.1) and their parameters that are whole numbers.
  private static func items(named field: String, in headers: HTTPHeaders) -> [Item] {
    var items: [Item] = []
    for value in headers.values(for: field) {
      HTTPListField.forEach(in: value) { member in
        let parts = member.split(separator: ";").map { HTTPListField.trimmed($0) }
        var item = Item(name: HTTPListField.unquoted(parts.first ?? ""))
        for part in parts.dropFirst() {
          let pair = part.split(separator: "=", maxSplits: 1)
          if pair.count == 2, let number = CacheControl.seconds(pair[1]) { item.parameters[pair[0]] = number }
        }
        items.append(item)
      }
    }
    return items
  }
}
