extension DownloadSession {
  /// What a session works with; every member can be set in the closure of
  /// ``DownloadSession/init(identifier:directory:_:)``.
  public struct Configuration: Sendable {
    /// Makes the request for an attempt: adds credentials, or a URL that is valid now.
    ///
    /// It is asked before every attempt, with the download as the journal knows it. When the server refused what it
    /// gave last with 400, 401, 403 or 410, it is asked once more, with that status, and the download goes on at the
    /// same offset if the validator still matches. What it throws ends the attempt, to be retried as the client's
    /// policy says.
    public typealias Provider = @Sendable (_ task: DownloadTask, _ refused: Int?) async throws -> HTTPRequest

    /// What carries the requests: its transport, redirects, interceptors, concurrency limits and clock are used, and
    /// its ``FetchClient/Configuration/retry`` decides about further attempts, which are counted anew whenever more was
    /// received than ever before. Its total deadline is not: a download may take as long as it needs. The attempts are
    /// five unless another client is set.
    public var client = FetchClient { $0.retry = RetryPolicy(maxAttempts: 5) }
    /// Makes the request for an attempt; the one that was given to `start` unless set.
    public var provider: Provider?
    /// How many downloads run at a time; 4 unless set.
    public var limit = 4
    /// How many bytes of one download are received between two syncs to disk: what is fetched a second time, at most,
    /// after the process was killed or the power was cut. 8 MiB unless set.
    public var syncInterval: Int64 = 8 << 20
    /// How much time there is between two syncs, at most, while bytes come; what ended is on the disk after it, too.
    public var syncPeriod = Duration.seconds(5)
    /// What a power cut may undo; ``Durability/periodic`` unless set.
    public var durability = Durability.periodic
    /// How much time there is between two reports of one download's progress, at least.
    public var progressInterval = Duration.milliseconds(100)
    /// The largest file that is accepted; 64 GiB unless set.
    public var largestFile: Int64 = 64 << 30

    /// Called at the named points, so that tests can end the process there.
    package var atPoint: (@Sendable (Point) -> Void)?
    /// Which start of the machine this is.
    package var boot = BootIdentifier.current

    init() {}
  }

  /// Moments between which a killed process leaves different things behind.
  package enum Point: String, Sendable, CaseIterable {
    case beforeAppend, afterAppend, beforeSync, afterSync, beforeMove, afterMove, beforeNameSync, beforeEvent
    /// Reached only on the way to another volume.
    case afterStaging
  }
}
