/// How far a download has come.
public struct DownloadProgress: Sendable, Hashable {
  /// The name it was started with.
  public var name: String
  /// How many bytes are received.
  public var receivedBytes: Int64
  /// How many there are in all, where the server said so.
  public var totalBytes: Int64?
  /// Bytes per second, averaged over the last seconds; nil before there is anything to measure.
  public var bytesPerSecond: Double?
  /// How long the rest takes at this rate, where total and rate are known.
  public var timeLeft: Duration?

  /// From 0 to 1, where the total is known.
  public var fraction: Double? {
    totalBytes.map { $0 > 0 ? min(1, Double(receivedBytes) / Double($0)) : 1 }
  }
}
