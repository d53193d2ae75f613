internal import Foundation

extension FetchClient {
  /// Returns a curl command that sends the request, for manual testing.
  ///
  /// Secrets are replaced by placeholders, so the command can be logged. Before you run the command, replace the
  /// placeholders with the real values. If the body is a file, the command contains the path of the file. If the body
  /// is an uncompressed form of at most 4096 bytes, the command contains the form. Any other body is replaced by a
  /// placeholder. Interceptors are not called, so the changes that they make to a request are not included.
  ///
  /// - Throws: A ``FetchError`` if the request cannot be built.
  public func curlCommand(for request: some HTTPRequestConvertible) throws(FetchError) -> String {
    let request = try request.httpRequest().prepared(with: pipeline.fields)
    let redactor = pipeline.redactor
    var words = ["curl"]
    if request.method == .head {
      words.append("--head")
    } else if request.method != .get || !request.body.isEmpty {
      words += ["--request", Self.quoted(request.method.rawValue)]
    }
    for field in request.headers {
      // With a name and a colon alone, curl would omit the field.
      let value = redactor.text(of: field, hiding: request.headers.hiddenNames)
      let line = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(value)"
      words += ["--header", Self.quoted(line)]
    }
    switch request.body.content {
    case .none: break
    case .file(let file): words += ["--data-binary", Self.quoted("@\(file.path(percentEncoded: false))")]
    case .stream: words += ["--data-binary", "'<stream>'"]
    case .data(let data):
      if data.count <= 4096, request.headers["Content-Encoding"] == nil,
        let text = redactor.text(ofBody: data, contentType: request.headers["Content-Type"])
      {
        words += ["--data-raw", Self.quoted(text)]
      } else {
        words += ["--data-binary", "'<\(data.count) bytes>'"]
      }
    }
    return (words + [Self.quoted(redactor.text(of: request.url))]).joined(separator: " ")
  }

  private static func quoted(_ text: String) -> String {
    "'\(text.replacing(scalar: "'", with: #"'\''"#))'"
  }
}
