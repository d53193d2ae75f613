public import Foundation

/// A form of named parts (RFC 7578), sent piece by piece: files are read while they are sent, never into memory.
///
/// ```swift
/// var form = MultipartForm()
/// form.append("Fargo", named: "title")
/// form.append(file: poster, named: "poster", contentType: "image/jpeg")
/// let body = try form.body()
/// ```
public struct MultipartForm: Sendable {
  private struct Part: Sendable {
    var header: Data
    var content: Content
  }

  private enum Content: Sendable {
    case data(Data)
    case file(URL)
  }

  /// What separates the parts.
  public let boundary: String
  private var parts: [Part] = []

  /// An empty form.
  ///
  /// - Parameter boundary: Made anew for each form unless given; it must not occur in the parts.
  public init(boundary: String = "larder-\(UUID().uuidString)") {
    self.boundary = boundary
  }

  /// Adds text.
  public mutating func append(_ text: String, named name: String) {
    append(Part(header: header(name, nil, nil), content: .data(Data(text.utf8))))
  }

  /// Adds bytes.
  public mutating func append(
    _ data: Data, named name: String, filename: String? = nil, contentType: String = "application/octet-stream"
  ) {
    append(Part(header: header(name, filename, contentType), content: .data(data)))
  }

  /// Adds a file; its own name is told unless another is given.
  public mutating func append(
    file: URL, named name: String, filename: String? = nil, contentType: String = "application/octet-stream"
  ) {
    append(Part(header: header(name, filename ?? file.lastPathComponent, contentType), content: .file(file)))
  }

  /// The form as a body of known length, which can be sent any number of times.
  ///
  /// - Throws: a `CocoaError` where a file is missing, is no regular file or may not be read. A file that is shorter
  ///   when it is sent ends the fetch with ``FetchError/requestBody(_:_:)``; of one that is longer, the beginning is
  ///   sent.
  public func body() throws -> RequestBody {
    var pieces: [MultipartReader.Piece] = []
    for part in parts {
      pieces.append(.data(part.header))
      switch part.content {
      case .data(let data): pieces.append(.data(data))
      case .file(let file):
        pieces.append(.file(file, length: try file.lengthOfRegularFile()))
      }
      pieces.append(.data(Data("\r\n".utf8)))
    }
    pieces.append(.data(Data("--\(boundary)--\r\n".utf8)))
    let length = pieces.reduce(Int64(0)) { $0 + $1.length }
    return RequestBody(
      .stream(length: length) { [pieces] in
        let reader = MultipartReader(pieces)
        return { try await reader.next() }
      }, contentType: "multipart/form-data; boundary=\(parameter)")
  }

  /// The boundary as a parameter's value: what is no token is quoted (RFC 9110 §5.6.6).
  private var parameter: String {
    guard boundary.isEmpty || !boundary.utf8.allSatisfy(\.isHTTPTokenByte) else { return boundary }
    return "\"\(boundary.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }

  private mutating func append(_ part: Part) {
    parts.append(part)
  }

  private func header(_ name: String, _ filename: String?, _ contentType: String?) -> Data {
    var text = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.quoted(name))\""
    if let filename { text += "; filename=\"\(Self.quoted(filename))\"" }
    if let contentType { text += "\r\nContent-Type: \(Self.line(contentType))" }
    return Data((text + "\r\n\r\n").utf8)
  }

  /// As browsers do it: a name must not end its own quotes or line.
  private static func quoted(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "\"": result += "%22"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }

  private static func line(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\r" && $0 != "\n" }))
  }
}
