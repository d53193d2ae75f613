internal import FetchKit
public import Foundation

/// One request and what came of it, as a ``Recorder`` keeps it: readable JSON, secrets hidden.
public struct Recording: Codable, Sendable {
  /// Bytes, as text where they are text.
  public enum Body: Sendable, Equatable {
    /// UTF-8 text.
    case text(String)
    /// Anything else.
    case bytes(Data)
  }

  /// The request.
  public struct Request: Codable, Sendable {
    /// The method.
    public var method: String
    /// The URL, secrets hidden.
    public var url: String
    /// The fields as `Name: value`, secrets hidden.
    public var headers: [String]
    /// The body, where it was bytes in memory.
    public var body: Body?
  }

  /// The response.
  public struct Response: Codable, Sendable {
    /// The status code.
    public var status: Int
    /// The fields as `Name: value`, secrets hidden.
    public var headers: [String]
    /// The body.
    public var body: Body
  }

  /// What was asked.
  public var request: Request
  /// What was answered; nil where the transport failed.
  public var response: Response?
  /// The fault in a word, such as `lost` or `timeout.idle`, where the transport failed.
  public var fault: String?
}

extension Recording.Body: Codable {
  private enum Key: CodingKey { case text, base64 }

  /// Reads `{"text": …}` or `{"base64": …}`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    if let text = try values.decodeIfPresent(String.self, forKey: .text) {
      self = .text(text)
    } else {
      self = .bytes(try values.decode(Data.self, forKey: .base64))
    }
  }

  /// Writes `{"text": …}` or `{"base64": …}`.
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
