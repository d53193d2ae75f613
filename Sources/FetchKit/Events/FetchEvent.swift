/// An event that occurs during a fetch. Event descriptions never contain secrets.
public struct FetchEvent: Sendable {
  /// What happened.
  public enum Kind: Sendable {
    /// The fetch began.
    case started
    /// An attempt begins. Attempts are numbered from 1, and redirects do not count as attempts. Before a request is
    /// sent, the attempt can wait because of a concurrency limit or a rate limit. No request is sent if the cache can
    /// serve the response.
    case sending(attempt: Int)
    /// A response was received from the transport or the cache. For a stream, only the response head has been received,
    /// and the number of bytes is nil.
    case received(status: Int, bytes: Int?)
    /// The client follows a redirect to the associated URL.
    case redirected(status: Int, to: String)
    /// An attempt failed, and the client makes another attempt after the associated delay.
    case retrying(FetchError, after: Duration)
    /// The fetch succeeded. It returned a value, or a stream that can now be read.
    case succeeded(status: Int)
    /// The fetch failed with the associated error.
    case failed(FetchError)
  }

  /// A number that identifies the fetch. Two fetches in the same process never have the same number.
  public var id: Int
  /// What happened.
  public var kind: Kind
  /// The method of the request.
  public var method: HTTPMethod
  /// The URL of the request, with secrets hidden.
  public var url: String
  /// The time between the beginning of the fetch and this event.
  public var elapsed: Duration
  /// The times at which the phases of the request ended, in a ``Kind/received(status:bytes:)`` event, otherwise nil.
  /// The errors in other events contain the timings of their attempts.
  public var timings: TransportTimings?

  /// Creates an event. Use this initializer to test a monitor.
  public init(id: Int, kind: Kind, method: HTTPMethod = .get, url: String, elapsed: Duration = .zero) {
    self.id = id
    self.kind = kind
    self.method = method
    self.url = url
    self.elapsed = elapsed
  }
}

extension FetchEvent: CustomStringConvertible {
  /// A one-line description for logs.
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
      return "\(head) retrying in \(Int(delay.inSeconds * 1000)) ms after: \(error)"
    case .succeeded(let status): return "\(head) succeeded with \(status) after \(milliseconds) ms"
    case .failed(let error): return "\(head) failed after \(milliseconds) ms: \(error)"
    }
  }
}

/// A type that receives the events of every fetch that a client performs.
///
/// The client can call a monitor from any thread. A monitor receives the events of each fetch in the order in which
/// they occur. The client holds no lock while it calls a monitor. The fetch waits until the call returns, so return
/// quickly.
nonisolated public protocol EventMonitor: Sendable {
  /// Called for each event of a fetch.
  func receive(_ event: FetchEvent)
}
