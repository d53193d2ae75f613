internal import Foundation

/// The bytes of a connection, in both directions. All methods can be called from any task.
protocol SocketPipe: AnyObject, Sendable {
  /// Returns the next bytes, or nil when the peer has ended its side. One task at a time.
  func read() async throws(TransportError) -> Data?
  /// Accepts bytes to send after those of earlier calls. Ignored once the connection has ended.
  func write(_ bytes: Data)
  /// Whether fewer bytes wait to be sent than the buffer holds.
  var hasRoom: Bool { get }
  /// Whether no bytes wait to be sent.
  var isDrained: Bool { get }
  /// The number of bytes that the system has taken.
  var sentCount: Int { get }
  /// Returns when fewer bytes wait to be sent than the buffer holds, or when the connection has ended.
  func waitForRoom() async
  /// Where tasks should run that do little but read.
  var executor: (any TaskExecutor)? { get }
  /// Ends the connection, after what was written if `isOrderly`.
  func close(isOrderly: Bool)
}
