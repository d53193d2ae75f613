internal import Foundation

extension FetchClient {
  /// Returns the request as a curl command line, for manual testing.
  ///
  /// Secrets are hidden, so the command can be logged. Restore the secrets before you run the command. If the body is a
  /// file, the command contains its path. If the body is a form of at most 4096 bytes, the command contains the form.
  /// Any other body is replaced by a placeholder. Changes made by interceptors are not included.
  ///
  /// - Throws: A ``FetchError`` if the request cannot be built.
  public func curlCommand(for request: some HTTPRequestConvertible) throws(FetchError) -> String {
    let request = try request.httpRequest().prepared(with: configuration.headers)
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
      if data.count <= 4096, let text = redactor.text(ofBody: data, contentType: request.headers["Content-Type"]) {
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
