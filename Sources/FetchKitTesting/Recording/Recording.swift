internal import FetchKit
public import Foundation

/// One request and its outcome, as stored by a ``Recorder``. Recordings are written as readable JSON, in which secrets
/// are hidden.
public struct Recording: Codable, Sendable {
  /// The bytes of a body, which are stored as text if they are valid UTF-8.
  public enum Body: Sendable, Equatable {
    /// UTF-8 text.
    case text(String)
    /// Bytes that are not UTF-8 text.
    case bytes(Data)
  }

  /// The request.
  public struct Request: Codable, Sendable {
    /// The method.
    public var method: String
    /// The URL, with secrets hidden.
    public var url: String
    /// The header fields as `Name: value`, with secrets hidden.
    public var headers: [String]
    /// The body, or nil if the body was compressed, or read from a file or a stream.
    public var body: Body?
  }

  /// The response.
  public struct Response: Codable, Sendable {
    /// The status code.
    public var status: Int
    /// The header fields as `Name: value`, with secrets hidden.
    public var headers: [String]
    /// The body.
    public var body: Body
  }

  /// The request.
  public var request: Request
  /// The response, or nil if the transport failed.
  public var response: Response?
  /// A short name for the transport's error, such as `lost` or `timeout.idle`, or nil if the transport did not fail.
  public var fault: String?
  /// What happened on the WebSocket, if the request was to open one. Empty if it was not opened.
  public var socket: [SocketEvent]?
}

extension Recording.Body: Codable {
  private enum Key: CodingKey { case text, base64 }

  /// Decodes a body from `{"text": …}` or `{"base64": …}`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    if let text = try values.decodeIfPresent(String.self, forKey: .text) {
      self = .text(text)
    } else {
      self = .bytes(try values.decode(Data.self, forKey: .base64))
    }
  }

  /// Encodes the body as `{"text": …}` or `{"base64": …}`.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    switch self {
    case .text(let text): try values.encode(text, forKey: .text)
    case .bytes(let data): try values.encode(data, forKey: .base64)
    }
  }

  init(_ data: Data) {
    self = String(validating: data, as: UTF8.self).map(Recording.Body.text) ?? .bytes(data)
  }

  var data: Data {
    switch self {
    case .text(let text): Data(text.utf8)
    case .bytes(let data): data
    }
  }
}
