/// The maximum number of requests and streams in progress, in total and per host. Further ones wait. The time that a
/// request spends waiting counts toward the total timeout but not toward the idle timeout.
///
/// Waiting requests start in order of ``RequestPriority``, highest first. Requests of equal priority start in order of
/// arrival. Every fourth time, the request that has waited longest starts instead, so that no request waits
/// indefinitely.
///
/// A stream can stay open for hours, so streams have limits of their own: no number of streams delays other requests.
/// A stream is a ``FetchStream``, a connection of an ``EventStream``, or a download of a ``DownloadSession``. It counts
/// until it has ended or has been released. A stream that has no total timeout, such as an event stream, waits for its
/// turn until another stream ends.
///
/// A transport can have limits of its own. If you set `connectionsPerHost` of a `CurlTransport`, which has no limit by
/// default, set it higher than ``streamsPerHost``: every stream occupies one of these connections.
public struct ConcurrencyLimits: Sendable, Hashable {
  /// The maximum number of requests in progress to all hosts together, without streams. A host that has answered over
  /// HTTP/2 counts with at most ``perHost`` requests, because its requests share connections.
  public var total: Int
  /// The maximum number of requests in progress for each combination of scheme, host and port, without streams, and so
  /// the number of connections over HTTP/1.1.
  public var perHost: Int
  /// The maximum number of requests in progress to a host whose last response arrived over HTTP/2 or a later version.
  /// If the host answers over HTTP/1.1, ``perHost`` applies again. `URLSessionTransport` reports no version, so
  /// ``perHost`` applies.
  public var perHostOverHTTP2: Int
  /// The maximum number of open streams to all hosts together.
  public var streams: Int
  /// The maximum number of open streams for each combination of scheme, host and port.
  public var streamsPerHost: Int

  /// The maximum number of open ``WebSocket``s to all hosts together.
  public var sockets = 1024
  /// The maximum number of open ``WebSocket``s for each combination of scheme, host and port.
  public var socketsPerHost = 128

  /// Creates limits. Values below 1 are treated as 1, and a ``perHostOverHTTP2`` below ``perHost`` has no effect. The
  /// defaults are 64 requests in total, 6 per host, 128 streams in total, and 32 per host. The default of
  /// ``perHostOverHTTP2`` is 100, or `perHost` if that is given.
  public init(
    total: Int = 64, perHost: Int? = nil, perHostOverHTTP2: Int? = nil, streams: Int = 128, streamsPerHost: Int = 32
  ) {
    self.total = max(1, total)
    self.perHost = max(1, perHost ?? 6)
    self.perHostOverHTTP2 = max(1, perHostOverHTTP2 ?? perHost ?? 100)
    self.streams = max(1, streams)
    self.streamsPerHost = max(1, streamsPerHost)
  }

  var ofSockets: ConcurrencyLimits { ConcurrencyLimits(total: sockets, perHost: socketsPerHost, perHostOverHTTP2: 0) }

  /// The limits of streams as those of requests. Streams use a connection each, whatever the version.
  var ofStreams: ConcurrencyLimits { ConcurrencyLimits(total: streams, perHost: streamsPerHost, perHostOverHTTP2: 0) }
}
