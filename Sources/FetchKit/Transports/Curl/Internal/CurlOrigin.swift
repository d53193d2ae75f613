#if os(Linux)
/// The requests in flight to one server that offer HTTP/2, and those of them that wait for a connection.
///
/// libcurl opens a connection for each request that finds the others full: of 256 at once, where the server takes 128 on
/// each, for 128 of them. So once the server is known to speak HTTP/2 one connection opens at a time. A request that
/// wants another one meanwhile waits until that connection stands or has failed, or until another request has ended.
///
/// Confined to the ``CurlCore``.
final class CurlOrigin {
  let name: String
  private(set) var count = 0
  private var isMultiplexed = false
  /// The request for which a connection opens.
  private var opening: CurlTransfer?
  /// Those that wait, the first one first; some may have ended meanwhile.
  private var waiting: [CurlTransfer] = []
  private var firstWaiting = 0

  init(_ name: String) {
    self.name = name
  }

  func join() { count += 1 }

  /// Whether a connection may open for the request.
  func mayOpen(for transfer: CurlTransfer) -> Bool {
    guard isMultiplexed else { return true }
    if opening == nil { opening = transfer }
    return opening === transfer
  }

  /// Has the request wait; false if no connection opens any more.
  func wait(_ transfer: CurlTransfer) -> Bool {
    guard opening != nil else { return false }
    waiting.append(transfer)
    return true
  }

  /// The server has opened a stream, or has answered by a version of HTTP that has many requests at a time, or has not.
  func note(isMultiplexed: Bool) { self.isMultiplexed = isMultiplexed }

  /// No connection could be made for the request: those that wait need not fail one after the other.
  func noteFailure(of transfer: CurlTransfer) {
    if opening === transfer { isMultiplexed = false }
  }

  /// The connection of the request stands, or it will not have one: true if others wait for that.
  func endOpening(for transfer: CurlTransfer) -> Bool {
    guard opening === transfer else { return false }
    opening = nil
    return hasRoom
  }

  /// Whether some wait though no connection opens.
  var hasRoom: Bool { opening == nil && firstWaiting < waiting.count }

  /// So many try at once: where thousands wait, most would find no room, for each connection anew.
  private static let batch = 128

  /// Those that try next.
  func next() -> ArraySlice<CurlTransfer> {
    guard hasRoom else { return [] }
    let next = waiting[firstWaiting...].prefix(Self.batch)
    firstWaiting = next.endIndex
    forgetWoken()
    return next
  }

  /// The request has ended: returns one that may have its place.
  func leave(_ transfer: CurlTransfer) -> CurlTransfer? {
    count -= 1
    defer { forgetWoken() }
    while firstWaiting < waiting.count {
      defer { firstWaiting += 1 }
      if waiting[firstWaiting].phase == .running { return waiting[firstWaiting] }
    }
    return nil
  }

  private func forgetWoken() {
    guard firstWaiting == waiting.count || firstWaiting > 64 && 2 * firstWaiting > waiting.count else { return }
    waiting.removeFirst(firstWaiting)
    firstWaiting = 0
  }
}
#endif
