/// The directives of `Cache-Control`, a request's or a response's (RFC 9111 §5.2, RFC 5861, RFC 8246).
struct CacheControl: Sendable, Equatable {
  /// More seconds than any clock will count (RFC 9111 §1.2.2).
  static let mostSeconds = 1 << 31

  var isPublic = false
  var noStore = false
  /// Also in its qualified form, which would hold for some fields only.
  var noCache = false
  var mustRevalidate = false
  var mustUnderstand = false
  var isImmutable = false
  var onlyIfCached = false
  /// A lifetime that cannot be read, or that is said twice and differently, is none: 0 (§4.2.1).
  var maxAge: Int?
  var minFresh: Int?
  /// ``mostSeconds`` where the request takes any staleness.
  var maxStale: Int?
  var staleWhileRevalidate: Int?
  var staleIfError: Int?

  init() {}

  init(_ headers: HTTPHeaders) {
    for field in headers where field.name.equalsIgnoringASCIICase("Cache-Control") {
      FieldMembers.forEach(in: field.value) { add($0) }
    }
  }

  /// The digits of a number of seconds; nil for anything else.
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
    let value = equals.map { FieldMembers.unquoted(member[member.index(after: $0)...]) }
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
