public import FetchKit
internal import Foundation

extension SyncChange {
  /// The header fields with which a server recognizes a repetition and refuses what is outdated:
  ///
  /// - `Idempotency-Key`: the ``idempotencyKey`` in small letters.
  /// - `If-Match`: the ``version`` of an update or a deletion (RFC 9110 §13.1.1), in quotation marks, for a server
  ///   whose `ETag` it is. A weak one matches nothing, and is left out.
  /// - `If-None-Match: *`: for a creation under a key that the app has made.
  public var headers: HTTPHeaders {
    var headers: HTTPHeaders = ["Idempotency-Key": idempotencyKey.uuidString.lowercased()]
    if kind == .creation {
      if key != nil { headers["If-None-Match"] = "*" }
    } else if let tag = version?.entityTag {
      headers["If-Match"] = tag
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
    guard let entityTag, !entityTag.isEmpty, !entityTag.hasPrefix("W/") else { return nil }
    self = .opaque(entityTag)
  }

  fileprivate var entityTag: String? {
    switch self {
    case .ordered(let number): "\"\(number)\""
    case .opaque(let tag) where tag.hasPrefix("W/"): nil
    case .opaque(let tag): tag.hasPrefix("\"") ? tag : "\"\(tag)\""
    }
  }
}
