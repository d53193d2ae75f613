public import FetchKit
internal import Foundation

extension SyncChange {
  /// The header fields with which a server recognizes a repetition and refuses what is outdated:
  ///
  /// - `Idempotency-Key`: the ``idempotencyKey`` in small letters.
  /// - `If-Match`: the ``version`` of an update or a deletion (RFC 9110 §13.1.1). An ordered one is in quotation marks.
  /// - `If-None-Match: *`: for a creation under a key that the app has made.
  public var headers: HTTPHeaders {
    var headers: HTTPHeaders = ["Idempotency-Key": idempotencyKey.uuidString.lowercased()]
    if kind == .creation {
      if key != nil { headers["If-None-Match"] = "*" }
    } else if let version {
      headers["If-Match"] = version.entityTag
    }
    return headers
  }
}

extension SyncCommandRequest {
  /// The header field with which a server recognizes a repetition: `Idempotency-Key`, with the ``idempotencyKey`` in
  /// small letters.
  public var headers: HTTPHeaders { ["Idempotency-Key": idempotencyKey.uuidString.lowercased()] }
}

extension RemoteVersion {
  /// The version of an object that an `ETag` names (RFC 9110 §8.8.3), as it is. Nil if there is none, or if it is a
  /// weak one, which no `If-Match` matches.
  public init?(entityTag: String?) {
    guard let entityTag, !entityTag.hasPrefix("W/") else { return nil }
    self = .opaque(entityTag)
  }

  fileprivate var entityTag: String {
    switch self {
    case .ordered(let number): "\"\(number)\""
    case .opaque(let tag): tag
    }
  }
}
