/// Reads what a server says of its limits.
enum RateLimitFields {
  /// The tightest of those named in `RateLimit` (`"name";r=remaining;t=seconds`), with the quota of the same name in
  /// `RateLimit-Policy` (`"name";q=quota;w=seconds`); else the fields of the older drafts. Nil where nothing can be
  /// read.
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

  /// The members of a structured field (RFC 9651 §3.1) with those of their parameters that are whole numbers.
  private static func items(named field: String, in headers: HTTPHeaders) -> [Item] {
    var items: [Item] = []
    for value in headers.values(for: field) {
      FieldMembers.forEach(in: value) { member in
        let parts = member.split(separator: ";").map { FieldMembers.trimmed($0) }
        var item = Item(name: FieldMembers.unquoted(parts.first ?? ""))
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
