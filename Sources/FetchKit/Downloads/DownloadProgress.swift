/// The progress of a download.
public struct DownloadProgress: Sendable, Hashable {
  /// The name under which the download was started.
  public var name: String
  /// The number of bytes received so far.
  public var receivedBytes: Int64
  /// The length of the file in bytes, or nil if the server did not announce it.
  public var totalBytes: Int64?
  /// The transfer rate in bytes per second, averaged over the last few seconds. The value is nil until enough data has
  /// arrived to measure the rate.
  public var bytesPerSecond: Double?
  /// The estimated time until the download is complete, or nil if the total size or the transfer rate is unknown.
  public var remainingTime: Duration?

  /// The completed fraction of the download from 0 to 1, or nil if the total size is unknown.
  public var fraction: Double? {
    totalBytes.map { $0 > 0 ? min(1, Double(receivedBytes) / Double($0)) : 1 }
  }
}
