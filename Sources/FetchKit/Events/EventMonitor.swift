/// A type that receives the events of every fetch of a client.
///
/// The client can call a monitor from any thread. The events of each fetch arrive in order, and the client never holds
/// a lock during a call. The fetch waits until the call returns, so return quickly.
public protocol EventMonitor: Sendable {
  /// Called for each event.
  func receive(_ event: FetchEvent)
}
