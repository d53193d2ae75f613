internal import Foundation

extension FetchClient {
  /// The request as a command line for curl, to be tried by hand.
  ///
  /// Secrets are hidden, so that the command can go into a log; they have to be put back in before it works. A body
  /// from a file is named, a short form is written out, and of every other body only the size is told. What
  /// interceptors add is not in it.
  ///
  /// - Throws: ``FetchError`` where no request can be built.
  public func curlCommand(for request: some HTTPRequestConvertible) throws(FetchError) -> String {
    let request = try request.httpRequest().prepared(for: configuration)
    let redactor = pipeline.redactor
    var words = ["curl"]
    if request.method == .head {
      words.append("--head")
    } else if request.method != .get || !request.body.isEmpty {
      words += ["--request", Self.quoted(request.method.rawValue)]
    }
    for field in request.headers {
      // A name and a colon alone would have curl leave the field out.
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
    "'\(text.replacing("'", with: #"'\''"#))'"
  }
}
