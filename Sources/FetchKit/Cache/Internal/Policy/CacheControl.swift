/// The `Cache-Control` directives of a request or a response (RFC 9111 §5.2, RFC 5861, RFC 8246).
struct CacheControl: Sendable, Equatable {
  /// The maximum number of seconds. Larger values are capped (RFC 9111 §1.2.2).
  static let mostSeconds = 1 << 31

  var isPublic = false
  var noStore = false
  /// Also set for the qualified form, which applies only to some fields.
  var noCache = false
  var mustRevalidate = false
  var mustUnderstand = false
  var isImmutable = false
  var onlyIfCached = false
  /// 0 if the lifetime is invalid or repeated with a different value (§4.2.1).
  var maxAge: Int?
  var minFresh: Int?
  /// ``mostSeconds`` if the request accepts any staleness.
  var maxStale: Int?
  var staleWhileRevalidate: Int?
  var staleIfError: Int?

  init() {}

  init(_ headers: HTTPHeaders) {
    for field in headers where field.name.equalsIgnoringASCIICase("Cache-Control") {
      HTTPListField.forEach(in: field.value) { add($0) }
    }
  }

  /// Returns a number of seconds from its digits, or nil for any other text.
  static func seconds(_ text: some StringProtocol) -> Int? {
    var value = 0
    guard !text.isEmpty else { return nil }
    for byte in text.utf8 {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = min(value * 10 + Int(byte - 0x30), mostSeconds)
    }
    return value
  }

  private mutating func add(_ member: Substring) {
    let equals = member.utf8.firstIndex(of: UInt8(ascii: "="))
    let name = member[..<(equals ?? member.endIndex)]
    let value = equals.map { HTTPListField.unquoted(member[member.index(after: $0)...]) }
    let seconds = value.flatMap { Self.seconds($0) }
    switch name.lowercased() {
    case "public": isPublic = true
    case "no-store": noStore = true
    case "no-cache": noCache = true
    case "must-revalidate": mustRevalidate = true
    case "must-understand": mustUnderstand = true
    case "immutable": isImmutable = true
    case "only-if-cached": onlyIfCached = true
    case "max-age": maxAge = maxAge == nil || maxAge == seconds ? seconds ?? 0 : 0
    case "min-fresh": minFresh = seconds ?? minFresh
    case "max-stale": maxStale = value == nil ? Self.mostSeconds : seconds ?? maxStale
    case "stale-while-revalidate": staleWhileRevalidate = seconds ?? staleWhileRevalidate
    case "stale-if-error": staleIfError = seconds ?? staleIfError
    default: break
    }
  }
}
