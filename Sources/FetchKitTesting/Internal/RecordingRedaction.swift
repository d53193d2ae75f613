internal import FetchKit
internal import Foundation

/// Hides secrets before they are recorded.
struct RecordingRedaction: Sendable {
  private let redactor: Redactor

  init(queryItems: Set<String>, headers: Set<String>) {
    redactor = Redactor(queryItems: queryItems, headers: headers)
  }

  func text(of url: URL) -> String { redactor.text(of: url) }

  func recorded(_ request: TransportRequest) -> Recording.Request {
    var body: Recording.Body?
    // Secrets in compressed bytes cannot be hidden.
    if case .data(let data) = request.body.content, request.headers["Content-Encoding"] == nil,
      request.body.contentEncoding == nil
    {
      let type = request.headers["Content-Type"] ?? request.body.contentType
      body = recorded(data, contentType: type)
    }
    return Recording.Request(
      method: request.method.rawValue, url: redactor.text(of: request.url), headers: lines(request.headers), body: body)
  }

  func recorded(_ head: ResponseHead, _ body: Data) -> Recording.Response {
    var headers = head.headers
    // The body is stored decompressed.
    for name in ["Content-Encoding", "Content-Length", "Transfer-Encoding"] { headers.removeAll(named: name) }
    return Recording.Response(
      status: head.status, headers: lines(headers), body: recorded(body, contentType: headers["Content-Type"]))
  }

  func recorded(_ message: WebSocketMessage) -> Recording.Body {
    switch message {
    case .text(let text): .text(withoutSecretMembers(text))
    case .binary(let data):
      .bytes(String(validating: data, as: UTF8.self).map { Data(withoutSecretMembers($0).utf8) } ?? data)
    }
  }

  private func lines(_ headers: HTTPHeaders) -> [String] {
    headers.map { "\($0.name): \(redactor.text(of: $0, hiding: headers.hiddenNames))" }
  }

  private func recorded(_ data: Data, contentType: String?) -> Recording.Body {
    guard case .text(let text) = Recording.Body(data) else { return .bytes(data) }
    // A body declared as a form may be something else, because some tools declare every body as a form.
    let hidden = redactor.text(ofBody: data, contentType: contentType) ?? text
    let isJSON = hidden.utf8.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }.map { $0 == 0x7B || $0 == 0x5B } == true
    return .text(isJSON ? withoutSecretMembers(hidden) : hidden)
  }

  /// Hides the string values of JSON members with a secret name. All other bytes are unchanged.
  private func withoutSecretMembers(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard bytes.contains(0x7B) else { return text }
    var result: [UInt8] = []
    var index = 0
    var name: String?
    while index < bytes.count {
      guard bytes[index] == 0x22 else {
        if bytes[index] == 0x7B || bytes[index] == 0x2C || bytes[index] == 0x5B { name = nil }
        result.append(bytes[index])
        index += 1
        continue
      }
      let end = Self.endOfString(bytes, from: index)
      let content = bytes[(index + 1)..<max(index + 1, end - 1)]
      if let name, redactor.isSecret(queryItem: name[...]) {
        result += Array("\"\(redactionMark)\"".utf8)
      } else {
        result += bytes[index..<end]
      }
      index = end
      let next = bytes[index...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
      name = next == 0x3A ? String(decoding: content, as: UTF8.self) : nil
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func endOfString(_ bytes: [UInt8], from start: Int) -> Int {
    var index = start + 1
    while index < bytes.count {
      if bytes[index] == 0x22 { return index + 1 }
      index += bytes[index] == 0x5C ? 2 : 1
    }
    return bytes.count
  }
}
