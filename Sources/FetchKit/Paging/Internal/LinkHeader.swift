internal import Foundation

/// The `Link` header field (RFC 8288 §3): `<https://api.example.com/items?page=2>; rel="next", <…>; rel="last"`.
enum LinkHeader {
  struct Link: Equatable {
    var target: String
    var relations: [String]
    var hasAnchor: Bool
  }

  /// Returns the absolute URL of the first link with a relation.
  ///
  /// Links with an `anchor` describe a resource other than the response and are skipped.
  static func target(of relation: String, in headers: HTTPHeaders, at base: URL) -> URL? {
    for value in headers.values(for: "Link") {
      for link in parse(value) where !link.hasAnchor {
        guard link.relations.contains(where: { $0.equalsIgnoringASCIICase(relation) }) else { continue }
        if let url = URL(reference: link.target, relativeTo: base) { return url }
      }
    }
    return nil
  }

  /// Returns the links of one field, parsed by the algorithm of appendix B.2. Parsing stops at the first invalid link
  /// and returns the links before it.
  static func parse(_ value: String) -> [Link] {
    var reader = Reader(rest: Array(value.utf8)[...])
    var links: [Link] = []
    while let link = reader.link() { links.append(link) }
    return links
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func link() -> Link? {
      skip { $0 == UInt8(ascii: ",") || Self.isSpace($0) }
      guard take("<") else { return nil }
      let target = text { $0 != UInt8(ascii: ">") }
      guard take(">") else { return nil }
      var link = Link(target: target, relations: [], hasAnchor: false)
      var hasRelation = false
      skip(Self.isSpace)
      while take(";") {
        let (name, value) = parameter()
        switch name.lowercased() {
        case "rel" where !hasRelation:
          // Only the first `rel` parameter counts (§3.3).
          hasRelation = true
          link.relations = value.split(whereSeparator: \.isWhitespace).map(String.init)
        case "anchor": link.hasAnchor = true
        default: break
        }
      }
      skip { $0 != UInt8(ascii: ",") }
      return link
    }

    private mutating func parameter() -> (name: String, value: String) {
      skip(Self.isSpace)
      let name = text { !Self.isSpace($0) && !"=;,".utf8.contains($0) }
      skip(Self.isSpace)
      guard take("=") else { return (name, "") }
      skip(Self.isSpace)
      let value = rest.first == UInt8(ascii: "\"") ? quoted() : text { !Self.isSpace($0) && !";,".utf8.contains($0) }
      skip(Self.isSpace)
      return (name, value)
    }

    private mutating func quoted() -> String {
      rest.removeFirst()
      var bytes: [UInt8] = []
      while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
        if byte == UInt8(ascii: "\\") {
          if let escaped = rest.popFirst() { bytes.append(escaped) }
        } else {
          bytes.append(byte)
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest.removeFirst()
      return true
    }

    private mutating func text(while isPart: (UInt8) -> Bool) -> String {
      let part = rest.prefix(while: isPart)
      rest = rest[part.endIndex...]
      return String(decoding: part, as: UTF8.self)
    }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
      rest = rest.drop(while: isSkipped)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
  }
}
