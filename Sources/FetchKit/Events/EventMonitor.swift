/// Is told what happens to every fetch of a client.
///
/// Called from any thread, in order for one fetch, never under a lock; the fetch waits meanwhile, so be quick.
public protocol EventMonitor: Sendable {
  /// Something happened.
  func note(_ event: FetchEvent)
}
