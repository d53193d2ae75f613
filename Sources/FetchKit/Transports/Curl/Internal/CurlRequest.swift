#if canImport(CLarderCurl)
internal import Foundation

/// A request in the form that libcurl expects. libcurl reads `Name:` as "omit this field", and guesses if a URL is
/// malformed.
struct CurlRequest {
  var url: String
  var host: String
  /// The host and port.
  var origin: String
  var isTLS: Bool
  var headers: CurlHeaderBlock
  /// Whether the body of the response is decoded: unless the caller has asked for a coding.
  var decodes: Bool
  /// The caller's `Content-Length`.
  var declaredLength: Int64?

  init(_ request: TransportRequest, _ blocks: CurlHeaderBlocks) throws(TransportError) {
    let absolute = request.url.absoluteURL
    url = absolute.absoluteString
    isTLS = absolute.scheme?.lowercased() == "https"
    let host = try HostKey.checked(absolute)
    // RFC 1035 §2.3.4 allows 253. For a SOCKS proxy, libcurl 7.69.0 to 8.3.0 copies more than 255 bytes by mistake, and
    // a very long name overflows the buffer (CVE-2023-38545). The name can come from a redirect.
    guard host.utf8.count <= 255 else { throw .invalidRequest(reason: "the URL's host has more than 255 bytes") }
    self.host = host
    origin = "\(host):\(absolute.port ?? (isTLS ? 443 : 80))"
    guard !url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
      throw .invalidRequest(reason: "the URL contains control characters or spaces")
    }
    decodes = request.headers["Accept-Encoding"].map { $0.equalsIgnoringASCIICase("identity") } ?? true
    declaredLength = request.declaredLength
    headers = blocks.block(for: request) { CurlHeaderBlock(Self.lines(of: request, accepting: blocks.encodings)) }
  }

  private static func lines(of request: TransportRequest, accepting encodings: String) -> [String] {
    var headerLines: [String] = []
    var hasAccept = false
    var hasExpect = false
    for field in request.headers {
      switch field.name.utf8.count {
      case 6 where field.name.equalsIgnoringASCIICase("accept"): hasAccept = true
      case 6 where field.name.equalsIgnoringASCIICase("expect"): hasExpect = true
      case 14 where field.name.equalsIgnoringASCIICase("content-length"): continue
      default: break
      }
      let value = field.value.trimmingPrefix { $0 == " " || $0 == "\t" }
      headerLines.append(value.isEmpty ? field.name + ";" : field.name + ": " + value)
    }
    if !hasAccept { headerLines.append("Accept:") }
    if request.headers["Accept-Encoding"] == nil {
      headerLines.append("Accept-Encoding: \(request.delivery == .stream ? "identity" : encodings)")
    }
    guard !request.body.isEmpty else {
      // RFC 9110 §8.6: a method that expects a body declares an empty one.
      if [.post, .put, .patch].contains(request.method) { headerLines.append("Content-Length: 0") }
      return headerLines
    }
    if !hasExpect { headerLines.append("Expect:") }  // otherwise libcurl waits a second before a large body
    for field in request.body.fields where request.headers[field.name] == nil {
      headerLines.append(field.name + ": " + field.value)
    }
    return headerLines
  }
}
#endif
