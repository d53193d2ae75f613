internal import Foundation

/// Reads the limits reported by a server.
enum RateLimitFields {
  /// Returns the tightest limit in `RateLimit` (`"name";r=remaining;t=seconds`), with the quota of the same name in
  /// `RateLimit-Policy` (`"name";q=quota;w=seconds`). Falls back to the fields of the older drafts, and to those with
  /// `X-`. Nil if no limit can be read.
  static func allowance(in headers: HTTPHeaders, now: Duration, date: Date) -> RateLimitState.Allowance? {
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
    for prefix in ["RateLimit-", "X-RateLimit-"] {
      guard let remaining = number(headers[prefix + "Remaining"]), let reset = number(headers[prefix + "Reset"]) else {
        continue
      }
      return RateLimitState.Allowance(
        remaining: Int(remaining), reset: now + .seconds(seconds(until: reset, headers, date)))
    }
    return nil
  }

  /// Some servers send seconds, others the time in seconds or milliseconds since 1970, which is measured against the
  /// response's own `Date` as in ``RetryAfter``.
  private static func seconds(until reset: Double, _ headers: HTTPHeaders, _ now: Date) -> Double {
    guard reset > 1e9 else { return reset }
    let moment = Date(timeIntervalSince1970: reset > 1e11 ? reset / 1000 : reset)
    return max(0, moment.timeIntervalSince(headers["Date"].flatMap(HTTPDate.parse) ?? now))
  }

  private static func number(_ text: String?) -> Double? {
    guard let text, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }) else { return nil }
    return Double(text).map { min($0, 1e15) }
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
