internal import Foundation

/// Creates safe file names from untrusted names.
///
/// Names are taken apart by scalars: a slash with a combining mark or a joiner after it is one `Character`, which is
/// not equal to a slash, but separates the components of a path.
enum FileNames {
  private typealias Scalars = Substring.UnicodeScalarView

  private static let longest = 200

  /// A path component for a name, unique per name: percent-encoded, and shortened with a digest if it is long.
  static func component(for name: String) -> String {
    var encoded = PercentEncoding.encode(name)
    if encoded.hasPrefix(".") { encoded = "%2E" + encoded.dropFirst() }
    guard encoded.utf8.count > longest else { return encoded }
    let digest = SHA256.hexDigest(of: name.utf8)
    // A percent-encoded name contains no "=", so no short name can equal this result.
    return "\(encoded.prefix(longest - 65))=\(digest)"
  }

  /// The file name from `Content-Disposition` (RFC 6266), made safe: only the last component, without control
  /// characters or a leading dot, and not too long. Nil if nothing remains.
  static func suggested(by headers: HTTPHeaders) -> String? {
    guard let field = headers["Content-Disposition"] else { return nil }
    let parameters = HTTPFieldReader.parameters(of: field)
    let extended = parameters["filename*"].flatMap { value -> String? in
      let parts = value.unicodeScalars.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, Substring(parts[0]).equalsIgnoringASCIICase("utf-8") else { return nil }
      return String(parts[2]).removingPercentEncoding
    }
    return (extended ?? parameters["filename"]).flatMap(harmless)
  }

  static func harmless(_ name: String) -> String? {
    let last = name.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.last ?? Scalars()
    let clean = String(
      String.UnicodeScalarView(
        last.filter { scalar in
          !([.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
            || scalar == ":")
        }))
    var result = clean.trimmingCharacters(in: .whitespaces)
    while result.unicodeScalars.first == "." { result.unicodeScalars.removeFirst() }
    while result.utf8.count > longest { result.removeLast() }
    return result.isEmpty ? nil : result
  }
}
