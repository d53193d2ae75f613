#if os(Linux)
/// The requests in flight to one server that offer HTTP/2, and those of them that wait for a connection.
///
/// libcurl before 8.0 opens a connection for each request that finds the others full: of 256 at once, where the server
/// takes 128 on each, for 128 of them. So once the server is known to speak HTTP/2 one connection opens at a time. A
/// request that needs another one waits until that connection is ready or has failed, or takes too long, or another
/// request ends.
///
/// Confined to the ``CurlCore``.
final class CurlOrigin {
  let name: String
  private(set) var count = 0
  private var isMultiplexed = false
  /// The request for which a connection opens, and since when.
  private var opening: (transfer: CurlTransfer, since: Int)?
  /// Those that wait, oldest first. Some of them may have ended.
  private var waiting: [CurlTransfer] = []
  private var firstWaiting = 0
  /// So many try at once: with thousands waiting, most would find no room, again for each connection.
  private static let batch = 128

  init(_ name: String) {
    self.name = name
  }

  func join() { count += 1 }

  /// The request has ended: returns one that may have its place.
  func leave() -> CurlTransfer? {
    count -= 1
    return take(1).first
  }

  /// The server has opened a stream, or has answered by a version of HTTP that has many requests at a time, or has not.
  func note(isMultiplexed: Bool) { self.isMultiplexed = isMultiplexed }

  /// Whether a connection may open for the request.
  func mayOpen(for transfer: CurlTransfer, at now: Int) -> Bool {
    guard isMultiplexed else { return true }
    if opening == nil { opening = (transfer, now) }
    return opening?.transfer === transfer
  }

  /// Since when a connection opens.
  var openingSince: Int? { opening?.since }

  /// The connection that opens takes too long: another one may open.
  func stopWaiting() { opening = nil }

  /// The request's connection is ready, or it will not have one: true if others wait for that.
  ///
  /// - Parameter isFailure: whether none could be made. Those that wait then try all at once: they need not fail one
  ///   after the other.
  func endOpening(for transfer: CurlTransfer, isFailure: Bool) -> Bool {
    guard opening?.transfer === transfer else { return false }
    opening = nil
    if isFailure { isMultiplexed = false }
    return hasRoom
  }

  /// Has the request wait; false if no connection opens any more.
  func wait(_ transfer: CurlTransfer) -> Bool {
    guard opening != nil else { return false }
    waiting.append(transfer)
    return true
  }

  var hasWaiting: Bool { firstWaiting < waiting.count }

  /// Whether some wait although no connection opens.
  var hasRoom: Bool { opening == nil && hasWaiting }

  /// Those that try next.
  func next() -> [CurlTransfer] { hasRoom ? take(Self.batch) : [] }

  /// The oldest that still wait.
  private func take(_ most: Int) -> [CurlTransfer] {
    var taken: [CurlTransfer] = []
    while taken.count < most, hasWaiting {
      let transfer = waiting[firstWaiting]
      firstWaiting += 1
      if transfer.phase == .running { taken.append(transfer) }
    }
    // An array's front is expensive to remove.
    if firstWaiting == waiting.count || firstWaiting > 64 && 2 * firstWaiting > waiting.count {
      waiting.removeFirst(firstWaiting)
      firstWaiting = 0
    }
    return taken
  }
}
#endif
