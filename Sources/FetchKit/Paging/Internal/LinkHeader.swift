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
    var reader = HTTPFieldReader(value)
    var links: [Link] = []
    while let link = reader.link() { links.append(link) }
    return links
  }
}

extension HTTPFieldReader {
  fileprivate mutating func link() -> LinkHeader.Link? {
    skip { $0 == UInt8(ascii: ",") || Self.isSpace($0) }
    guard take("<") else { return nil }
    let target = text { $0 != UInt8(ascii: ">") }
    guard take(">") else { return nil }
    var link = LinkHeader.Link(target: target, relations: [], hasAnchor: false)
    var hasRelation = false
    skip(Self.isSpace)
    while take(";") {
      let (name, value) = parameter(endingAt: " \t;,")
      switch name.lowercased() {
      case "rel" where !hasRelation:
        // Only the first `rel` parameter counts (§3.3).
        hasRelation = true
        link.relations = (value ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
      case "anchor": link.hasAnchor = true
      default: break
      }
    }
    skip { $0 != UInt8(ascii: ",") }
    return link
  }
}
