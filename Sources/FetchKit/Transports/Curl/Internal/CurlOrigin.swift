#if canImport(CLarderCurl)
/// The requests in flight to one server that offer HTTP/2, and those among them that wait for a connection.
///
/// libcurl before 8.0 opens a connection for each request that finds the others full: of 256 simultaneous requests to a
/// server that accepts 128 per connection, 128 would each open one. Therefore, once the server is known to speak
/// HTTP/2, one connection opens at a time. A request that needs another connection waits until that connection is
/// ready, has failed or takes too long, or until another request ends.
///
/// Confined to the ``CurlCore``.
final class CurlOrigin {
  let name: String
  private(set) var count = 0
  private var isMultiplexed = false
  /// The request for which a connection is being opened, and since when.
  private var opening: (transfer: CurlTransfer, since: Int)?
  /// The waiting requests, oldest first. Some of them may have ended.
  private var waiting = FIFO<CurlTransfer>()
  /// The number of requests that try at the same time. With thousands waiting, most would find no free stream, again
  /// for each connection.
  private static let batch = 128

  init(_ name: String) {
    self.name = name
  }

  func join() { count += 1 }

  /// Records that a request has ended. Returns one that can use its stream.
  func leave() -> CurlTransfer? {
    count -= 1
    return take(1).first
  }

  /// Records whether the server multiplexes requests: it opened a stream, or the HTTP version of its response shows it.
  func note(isMultiplexed: Bool) { self.isMultiplexed = isMultiplexed }

  /// Whether a connection can be opened for the request.
  func mayOpen(for transfer: CurlTransfer, at now: Int) -> Bool {
    guard isMultiplexed else { return true }
    if opening == nil { opening = (transfer, now) }
    return opening?.transfer === transfer
  }

  /// When the connection that is being opened was started.
  var openingSince: Int? { opening?.since }

  /// Allows another connection, because the one that is being opened takes too long.
  func stopWaiting() { opening = nil }

  /// Records that the request's connection is ready, or that it will not get one. Returns true if others wait for that.
  ///
  /// - Parameter isFailure: Whether no connection could be made. The waiting requests then all try together, so that
  ///   they do not fail one after the other.
  func endOpening(for transfer: CurlTransfer, isFailure: Bool) -> Bool {
    guard opening?.transfer === transfer else { return false }
    opening = nil
    if isFailure { isMultiplexed = false }
    return hasRoom
  }

  /// Makes the request wait. Returns false if no connection is being opened anymore.
  func wait(_ transfer: CurlTransfer) -> Bool {
    guard opening != nil else { return false }
    waiting.append(transfer)
    return true
  }

  var hasWaiting: Bool { !waiting.isEmpty }

  /// Whether requests wait although no connection is being opened.
  var hasRoom: Bool { opening == nil && hasWaiting }

  /// The requests that try next.
  func next() -> [CurlTransfer] { hasRoom ? take(Self.batch) : [] }

  /// The oldest requests that still wait.
  private func take(_ most: Int) -> [CurlTransfer] {
    var taken: [CurlTransfer] = []
    while taken.count < most, let transfer = waiting.popFirst() {
      if transfer.state.isRunning { taken.append(transfer) }
    }
    return taken
  }
}
#endif
