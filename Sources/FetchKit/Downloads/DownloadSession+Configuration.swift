public import Foundation

extension DownloadSession {
  /// The configuration of a session. Set the properties in the closure that you pass to
  /// ``DownloadSession/init(identifier:directory:_:)``.
  public struct Configuration: Sendable {
    /// A function that creates the request for each attempt to download a file, so that every attempt can use current
    /// credentials or a URL that has not expired.
    ///
    /// The session calls the provider before every attempt and passes it the download as recorded in the journal. If
    /// the server rejects the request with status code 400, 401, 403 or 410, the session calls the provider again and
    /// passes that status code as `refused`. If the server's strong validator shows that the file has not changed, the
    /// download then continues at the same offset. If the provider throws an error, the attempt fails, and the client's
    /// retry policy determines whether another attempt is made.
    public typealias Provider = @Sendable (_ task: DownloadTask, _ refused: Int?) async throws -> HTTPRequest

    /// The client that sends the requests. The session uses the client's transport, redirect policy, interceptors,
    /// concurrency limits and clock.
    ///
    /// If an attempt fails, the client's ``FetchClient/Configuration/retry`` policy determines whether another attempt
    /// is made. The attempt count restarts at 1 whenever a download gets further than it did in any earlier attempt.
    /// The client's total timeout does not apply to downloads, so a download can take any amount of time unless the
    /// ``provider`` returns a request with its own timeouts. The default client makes up to five attempts.
    public var client = FetchClient { $0.retry = RetryPolicy(maxAttempts: 5) }
    /// The function that creates the request for each attempt. If nil, the session sends the request that was passed to
    /// ``DownloadSession/start(_:named:_:)``.
    public var provider: Provider?
    /// The maximum number of downloads that run at the same time. The default is 4. The client's
    /// ``ConcurrencyLimits/streams`` and ``ConcurrencyLimits/streamsPerHost`` also apply.
    public var maxConcurrentDownloads = 4
    /// The number of bytes that a download receives between two syncs to disk. The default is 8 MiB. If the power
    /// fails, at most this many bytes of each download are downloaded again.
    public var syncInterval: Int64 = 8 << 20
    /// The maximum time between two syncs to disk while a download is receiving bytes. The default is 5 seconds. The
    /// file of a finished download is also synced to disk within this period.
    public var syncPeriod = Duration.seconds(5)
    /// How downloads and events are protected against a power failure. The default is ``Durability/periodic``.
    public var durability = Durability.periodic
    /// The minimum time between two progress reports for the same download. The default is 100 milliseconds.
    public var progressInterval = Duration.milliseconds(100)
    /// The maximum size of a downloaded file in bytes. The default is 64 GiB.
    public var maxFileSize: Int64 = 64 << 30
    /// The data protection class of the session's folder and the files created in it. If nil, which is the default, the
    /// protection class of the app's container applies.
    ///
    /// With `.complete`, downloads fail while the device is locked. A file that is moved to another volume gets the
    /// protection class of its destination folder. This property has no effect on Linux, which has no data protection
    /// classes.
    public var fileProtection: FileProtectionType?
    /// Whether the session's folder, including complete files in ``DownloadSession/filesDirectory``, is excluded from
    /// backups. The default is false. This property has no effect on Linux.
    ///
    /// Setting this property to false does not remove an existing exclusion.
    public var isExcludedFromBackup = false

    /// Called at the named points, so that tests can kill the process there.
    package var atPoint: (@Sendable (Point) -> Void)?
    /// Identifies the current boot of the machine.
    package var boot = BootIdentifier.current

    init() {}
  }

  /// Moments between which a killed process leaves different states behind.
  package enum Point: String, Sendable, CaseIterable {
    case beforeAppend, afterAppend, beforeSync, afterSync, beforeMove, afterMove, beforeNameSync, beforeEvent
    /// Reached only when the destination is on another volume.
    case afterStaging
  }
}
