#if canImport(CLarderCurl)
internal import Foundation

/// Assembles a response head from the lines that libcurl delivers one by one, including interim responses and trailers.
struct CurlResponseHeadReader {
  private(set) var status = 0
  private(set) var version = ResponseHead.Version(major: 1, minor: 1)
  private(set) var fields: [HTTPHeaders.Field] = []
  /// The fields about the body that the head has.
  private(set) var framing: Framing = []
  /// Whether the empty line after the final head has arrived. Without it the head was cut off, which libcurl reports as
  /// success.
  private(set) var isComplete = false
  /// Whether status code 101 is final, as for a request that asks for another protocol.
  var acceptsSwitch = false
  /// The bytes of all lines so far, so that the limit also applies to endless interim responses and trailers.
  private(set) var count = 0

  struct Framing: OptionSet {
    let rawValue: Int
    static let length = Framing(rawValue: 1)
    static let contentCoding = Framing(rawValue: 2)
    static let transferCoding = Framing(rawValue: 4)
  }

  /// Created on the thread of the transfer: memory that is allocated on one thread and freed on another makes both wait
  /// for the allocator.
  init() {
    fields.reserveCapacity(16)
  }

  /// The list elements of all fields with this name, in lower case.
  func tokens(of name: String) -> [String] {
    fields.lazy.filter { $0.name.equalsIgnoringASCIICase(name) }.flatMap { $0.value.split(separator: ",") }
      .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }.filter { !$0.isEmpty }
  }

  /// Reads one line including its line end. Returns true when it completes the head of the final response.
  mutating func read(_ line: UnsafeRawBufferPointer) throws(TransportError) -> Bool {
    count += line.count
    if isComplete { return false }
    if isStatusLine(line) {
      fields.removeAll(keepingCapacity: true)
      framing = []
      try readStatus(line)
      return false
    }
    if line.first == 13 || line.first == 10 {
      isComplete = status >= 200 || status == 101 && acceptsSwitch
      return isComplete
    }
    try readField(line)
    return false
  }

  /// Like libcurl, in any case: a line that it alone took for the status would leave the response without a head.
  private func isStatusLine(_ line: UnsafeRawBufferPointer) -> Bool {
    guard let first = line.first, first | 0x20 == 0x68, line.count > 5, line[4] == 0x2F else { return false }
    return zip(line, "http".utf8).allSatisfy { $0 | 0x20 == $1 }
  }

  /// `HTTP/1.1 200 OK` or `HTTP/2 200`.
  private mutating func readStatus(_ line: UnsafeRawBufferPointer) throws(TransportError) {
    var rest = line.dropFirst(5)
    func number(atMost digits: Int) -> Int? {
      var value: Int?
      for _ in 0..<digits {
        guard let byte = rest.first, (0x30...0x39).contains(byte) else { break }
        value = (value ?? 0) * 10 + Int(byte - 0x30)
        rest = rest.dropFirst()
      }
      return value
    }
    guard let major = number(atMost: 1) else { throw Self.malformedStatus }
    var minor = 0
    if rest.first == 0x2E {
      rest = rest.dropFirst()
      guard let digits = number(atMost: 1) else { throw Self.malformedStatus }
      minor = digits
    }
    guard rest.first == 0x20 else { throw Self.malformedStatus }
    rest = rest.drop { $0 == 0x20 }
    guard let status = number(atMost: 3), status >= 100, rest.first.map({ $0 <= 0x20 }) ?? true else {
      throw Self.malformedStatus
    }
    self.status = status
    version = ResponseHead.Version(major: major, minor: minor)
  }

  private static let malformedStatus = TransportError.malformedResponse(reason: "the status line cannot be parsed")

  private mutating func readField(_ line: UnsafeRawBufferPointer) throws(TransportError) {
    // A line that starts with white space continues the previous field (RFC 9112 §5.2). Before the first field it makes
    // the message invalid (§2.2).
    if let first = line.first, first == 0x20 || first == 0x09 {
      guard var last = fields.popLast() else {
        throw .malformedResponse(reason: "there is white space before the first header field")
      }
      let more = Self.text(line[...])
      last.value += last.value.isEmpty || more.isEmpty ? more : " " + more
      return fields.append(last)
    }
    guard let colon = line.firstIndex(of: 0x3A) else { return }
    let name = Self.text(line[..<colon])
    switch name.utf8.count {
    case 14 where name.equalsIgnoringASCIICase("content-length"): framing.insert(.length)
    case 16 where name.equalsIgnoringASCIICase("content-encoding"): framing.insert(.contentCoding)
    case 17 where name.equalsIgnoringASCIICase("transfer-encoding"): framing.insert(.transferCoding)
    default: break
    }
    fields.append(HTTPHeaders.Field(name: name, value: Self.text(line[(colon + 1)...])))
  }

  /// The text without surrounding whitespace, decoded as UTF-8 if it is valid and as Latin-1 otherwise, so that no
  /// byte is lost.
  private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    var bytes = bytes.drop { $0 <= 0x20 }
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    let trimmed = UnsafeRawBufferPointer(rebasing: bytes)
    // Nearly all values are ASCII. Validating runs unspecialized code, which costs several times as much.
    guard trimmed.contains(where: { $0 >= 0x80 }) else { return String(decoding: trimmed, as: UTF8.self) }
    return String(validating: trimmed, as: UTF8.self)
      ?? String(String.UnicodeScalarView(trimmed.map { Unicode.Scalar($0) }))
  }
}
#endif
