/// The progress of a download.
public struct DownloadProgress: Sendable, Hashable {
  /// The name under which the download was started.
  public var name: String
  /// The number of bytes received.
  public var receivedBytes: Int64
  /// The total number of bytes, or nil if the server did not announce it.
  public var totalBytes: Int64?
  /// The transfer rate in bytes per second, averaged over the last few seconds. It is nil until the rate can be
  /// measured.
  public var bytesPerSecond: Double?
  /// The estimated remaining time at the current rate, or nil if the total or the rate is unknown.
  public var remainingTime: Duration?

  /// The completed fraction from 0 to 1, or nil if the total is unknown.
  public var fraction: Double? {
    totalBytes.map { $0 > 0 ? min(1, Double(receivedBytes) / Double($0)) : 1 }
  }
}
