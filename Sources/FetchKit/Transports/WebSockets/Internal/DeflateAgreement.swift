/// What both sides have agreed on for `permessage-deflate` (RFC 7692 §7.1).
struct DeflateAgreement: Equatable {
  /// Whether the server compresses each message on its own.
  var serverResets = false
  /// Whether this side has to compress each message on its own.
  var clientResets = false
  /// The window that this side may use. zlib has no raw window of 8 bits.
  var windowBits: Int32 = 15

  /// What the client offers: it can limit its window.
  static let offer = "permessage-deflate; client_max_window_bits"

  init() {}

  /// Reads the extensions of a response; nil if there are none.
  init?(_ fields: [String]) throws(TransportError) {
    let extensions = fields.flatMap { $0.split(separator: ",") }
    guard !extensions.isEmpty else { return nil }
    let parts = extensions[0].split(separator: ";", omittingEmptySubsequences: false).map {
      HTTPListField.trimmed($0).lowercased()
    }
    guard extensions.count == 1, parts[0] == "permessage-deflate" else { throw Self.notOffered }
    var seen: Set<String> = []
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1).map { HTTPListField.trimmed($0) }
      guard let name = pair.first.map(String.init), seen.insert(name).inserted else { throw Self.notOffered }
      let value = pair.count > 1 ? pair[1].trimmingPrefix("\"").prefix { $0 != "\"" } : nil
      switch (name, value.flatMap { Int32($0) }) {
      case ("server_no_context_takeover", nil) where value == nil: serverResets = true
      case ("client_no_context_takeover", nil) where value == nil: clientResets = true
      case ("server_max_window_bits", let bits?) where (9...15).contains(bits): break  // any window can be read
      case ("client_max_window_bits", let bits?) where (9...15).contains(bits): windowBits = bits
      default: throw Self.notOffered
      }
    }
  }

  private static let notOffered = TransportError.malformedResponse(
    reason: "the server chose an extension that was not offered")
}
