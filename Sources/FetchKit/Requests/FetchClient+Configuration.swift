extension FetchClient {
  /// What a client works with; every member can be set in the closure of ``FetchClient/init(_:)``.
  public struct Configuration: Sendable {
    /// What carries the requests.
    public var transport: any Transport
    /// How long each phase may take, unless a request says otherwise.
    public var deadlines = Deadlines()
    /// How large a response may be, unless a request says otherwise.
    public var limits = ResponseLimits()
    /// Fields for every request that does not name them itself.
    public var headers: HTTPHeaders = [:]
    /// Which status codes are a success, unless a request says otherwise; 200 to 299 unless set.
    public var acceptedStatus = 200..<300
    /// Names of query items that never appear in an error or log, besides those that carry credentials nearly everywhere.
    public var redactedQueryItems: Set<String> = []
    /// Names of header fields whose values never appear in a log, besides ``HTTPHeaders/redactedByDefault``.
    public var redactedHeaders: Set<String> = []

    init() {
      transport = DefaultTransport.shared
    }
  }
}
