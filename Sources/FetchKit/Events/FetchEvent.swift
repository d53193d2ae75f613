/// Something that happened to a fetch. No text in it holds a secret.
public struct FetchEvent: Sendable {
  /// What happened.
  public enum Kind: Sendable {
    /// The fetch began.
    case started
    /// An attempt begins, counted from 1, redirects not counted; it may wait for its turn, or end with what a cache
    /// has.
    case sending(attempt: Int)
    /// The transport delivered a head (streams) or a response.
    case received(status: Int, bytes: Int?)
    /// A redirect is followed, to that URL.
    case redirected(status: Int, to: String)
    /// An attempt failed, and there will be another after that wait.
    case retrying(FetchError, after: Duration)
    /// The fetch ended with a value, or with a stream whose body can be read.
    case succeeded(status: Int)
    /// The fetch ended with an error.
    case failed(FetchError)
  }

  /// Tells fetches apart within the process.
  public var id: Int
  /// What happened.
  public var kind: Kind
  /// The method of the request.
  public var method: HTTPMethod
  /// The URL of the request, secrets hidden.
  public var url: String
  /// The time since the fetch began.
  public var elapsed: Duration

  /// An event from its parts, for monitors under test.
  public init(id: Int, kind: Kind, method: HTTPMethod = .get, url: String, elapsed: Duration = .zero) {
    self.id = id
    self.kind = kind
    self.method = method
    self.url = url
    self.elapsed = elapsed
  }
}

extension FetchEvent: CustomStringConvertible {
  /// One line fit for a log.
  public var description: String {
    let milliseconds = Int(elapsed.inSeconds * 1000)
    let head = "[\(id)] \(method) \(url)"
    switch kind {
    case .started: return "\(head) started"
    case .sending(let attempt): return "\(head) sending, attempt \(attempt), at \(milliseconds) ms"
    case .received(let status, let bytes):
      return "\(head) received \(status)\(bytes.map { ", \($0) bytes" } ?? ""), at \(milliseconds) ms"
    case .redirected(let status, let to): return "\(head) redirected by \(status) to \(to)"
    case .retrying(let error, let delay):
      return "\(head) trying again in \(Int(delay.inSeconds * 1000)) ms after: \(error)"
    case .succeeded(let status): return "\(head) succeeded with \(status) after \(milliseconds) ms"
    case .failed(let error): return "\(head) failed after \(milliseconds) ms: \(error)"
    }
  }
}
