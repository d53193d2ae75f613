/// Converts byte counts to progress at a bounded rate.
struct ProgressMeter {
  private static let window = Duration.seconds(5)
  private static let mostSamples = 64

  private let name: String
  private let interval: Duration
  private var samples: [(time: Duration, bytes: Int64)] = []
  private var lastReport: Duration?

  init(name: String, interval: Duration) {
    self.name = name
    self.interval = interval
  }

  /// The progress to report now; nil if the last report was less than an interval ago, unless `mustReport` is set.
  mutating func note(
    _ received: Int64, of total: Int64?, at now: Duration, mustReport: Bool = false
  ) -> DownloadProgress? {
    if let lastReport, now - lastReport < interval, !mustReport { return nil }
    // Fewer bytes than before: the download started over.
    if let last = samples.last, last.bytes > received { samples = [] }
    lastReport = now
    samples.removeAll { now - $0.time > Self.window }
    samples.append((now, received))
    if samples.count > Self.mostSamples { samples.removeFirst(samples.count - Self.mostSamples) }
    var progress = DownloadProgress(name: name, receivedBytes: received, totalBytes: total)
    guard let first = samples.first, now > first.time else { return progress }
    let rate = Double(received - first.bytes) / (now - first.time).inSeconds
    progress.bytesPerSecond = rate
    if let total, total >= received, rate > 0 { progress.remainingTime = .seconds(Double(total - received) / rate) }
    return progress
  }
}
