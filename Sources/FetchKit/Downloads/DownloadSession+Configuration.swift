public import Foundation

extension DownloadSession {
  /// The configuration of a session. Set its properties in the closure passed to
  /// ``DownloadSession/init(identifier:directory:_:)``.
  public struct Configuration: Sendable {
    /// A function that creates the request for an attempt, for example with new credentials or a URL that is currently
    /// valid.
    ///
    /// The session calls the provider before every attempt and passes the download as recorded in the journal. If the
    /// server rejects the request with status code 400, 401, 403 or 410, the session calls the provider again and
    /// passes that status code as `refused`. The download then continues at the same offset if the validator still
    /// matches. An error thrown by the provider ends the attempt, which is retried according to the client's policy.
    public typealias Provider = @Sendable (_ task: DownloadTask, _ refused: Int?) async throws -> HTTPRequest

    /// The client that sends the requests. The session uses the client's transport, redirect policy, interceptors,
    /// concurrency limits and clock.
    ///
    /// The client's ``FetchClient/Configuration/retry`` policy determines whether another attempt is made. The attempt
    /// count restarts whenever a download has received more bytes than in any earlier attempt. The client's total
    /// timeout is not used, so a download can take as long as it needs unless the ``provider`` returns a request with
    /// its own timeouts. The default client makes up to five attempts.
    public var client = FetchClient { $0.retry = RetryPolicy(maxAttempts: 5) }
    /// The function that creates the request for an attempt. If nil, the session uses the request passed to `start`.
    public var provider: Provider?
    /// The maximum number of downloads that run at the same time. The default is 4.
    public var maxConcurrentDownloads = 4
    /// The number of bytes that a download receives between two syncs to disk. The default is 8 MiB. If the process is
    /// killed or the power fails, at most this many bytes of each download are downloaded again.
    public var syncInterval: Int64 = 8 << 20
    /// The maximum time between two syncs while a download is receiving bytes. The default is 5 seconds. A finished
    /// download is also synced to disk within this time.
    public var syncPeriod = Duration.seconds(5)
    /// The amount of work that a power failure can undo. The default is ``Durability/periodic``.
    public var durability = Durability.periodic
    /// The minimum time between two progress reports for a download. The default is 100 milliseconds.
    public var progressInterval = Duration.milliseconds(100)
    /// The maximum size of a file in bytes. The default is 64 GiB.
    public var maxFileSize: Int64 = 64 << 30
    /// The data protection class of the session's folder and the files created in it. If it is nil, which is the
    /// default, the app container's class applies.
    ///
    /// With `.complete`, downloads fail while the device is locked. A file whose destination is on another volume has
    /// the protection class of its folder. This property has no effect on Linux, which has no data protection classes.
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
