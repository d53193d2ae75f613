public import Foundation

/// A form that consists of named parts and is sent as `multipart/form-data` (RFC 7578). Files and streams are read as
/// they are sent and are never loaded into memory as a whole.
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
    var body: RequestBody
  }

  /// The separator between the parts.
  public let boundary: String
  private var parts: [Part] = []

  /// Creates an empty form.
  ///
  /// - Parameter boundary: The separator between the parts. It must not occur in the parts. By default, a unique
  ///   separator is generated for every form.
  public init(boundary: String = "larder-\(UUID().uuidString)") {
    self.boundary = boundary
  }

  /// Appends a part that contains the given text.
  public mutating func append(_ text: String, named name: String) {
    parts.append(Part(header: header(name, nil, nil), body: RequestBody(.data(Data(text.utf8)))))
  }

  /// Appends a part that contains the given bytes.
  public mutating func append(
    _ data: Data, named name: String, filename: String? = nil, contentType: String = "application/octet-stream"
  ) {
    append(.data(data, contentType: contentType), named: name, filename: filename)
  }

  /// Appends a part that contains a file. If you do not pass a file name, the last path component of the file's URL is
  /// used.
  public mutating func append(
    file: URL, named name: String, filename: String? = nil, contentType: String = "application/octet-stream"
  ) {
    append(.file(file, contentType: contentType), named: name, filename: filename ?? file.lastPathComponent)
  }

  /// Appends a part with the content and the content type of a request body, such as JSON or a stream.
  public mutating func append(_ body: RequestBody, named name: String, filename: String? = nil) {
    let type = body.contentType ?? "application/octet-stream"
    parts.append(Part(header: header(name, filename, type), body: body))
  }

  /// Returns the form as a request body. If no part is a stream of unknown length, the length of the body is known in
  /// advance. If no part can be read only once, the body can be sent any number of times, and opens its streams each
  /// time.
  ///
  /// - Throws: A `CocoaError` if a file is missing, is not a regular file or is not readable. If a file has shrunk by
  ///   the time it is sent, the fetch ends with ``FetchError/requestBody(_:_:)``. If a file has grown in the meantime,
  ///   the additional bytes are not sent. If a stream does not have its announced length, the fetch ends with a
  ///   ``RequestBodyLengthError``.
  public func body() throws -> RequestBody {
    var pieces: [MultipartReader.Piece] = []
    for part in parts {
      pieces.append(.data(part.header))
      pieces.append(try MultipartReader.Piece(part.body.content))
      pieces.append(.data(Data("\r\n".utf8)))
    }
    pieces.append(.data(Data("--\(boundary)--\r\n".utf8)))
    let length = pieces.reduce(Int64?.some(0)) { sum, piece in
      sum.flatMap { sum in piece.length.map { sum &+ $0 } }
    }
    return RequestBody(
      .stream(length: length) { [pieces] in
        let reader = MultipartReader(pieces)
        return { try await reader.next() }
      }, contentType: "multipart/form-data; boundary=\(parameter)", isOneShot: parts.contains(where: \.body.isOneShot))
  }

  /// The boundary as a parameter value. It is quoted unless it is a token (RFC 9110 §5.6.6).
  private var parameter: String {
    guard boundary.isEmpty || !boundary.utf8.allSatisfy(\.isHTTPTokenByte) else { return boundary }
    return "\"\(boundary.replacing(scalar: "\\", with: "\\\\").replacing(scalar: "\"", with: "\\\""))\""
  }

  private func header(_ name: String, _ filename: String?, _ contentType: String?) -> Data {
    var text = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.quoted(name))\""
    if let filename { text += "; filename=\"\(Self.quoted(filename))\"" }
    if let contentType { text += "\r\nContent-Type: \(Self.line(contentType))" }
    return Data((text + "\r\n\r\n").utf8)
  }

  /// Escapes the way browsers do, so that a name cannot end its own quotes or its line.
  private static func quoted(_ text: String) -> String {
    text.replacing(scalar: "\"", with: "%22").replacing(scalar: "\r", with: "%0D").replacing(scalar: "\n", with: "%0A")
  }

  private static func line(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\r" && $0 != "\n" }))
  }
}
