public import Foundation

/// A request as a transport gets it: final, with nothing left to adapt.
public struct TransportRequest: Sendable {
  /// How the body of the response is handed over.
  public enum Delivery: Sendable, Hashable {
    /// In one piece, when all of it is there. The transport offers the compressions it knows and undoes them.
    case whole
    /// Piece by piece, as it comes. Asked for without compression, so that offsets and lengths are those of the server.
    case stream
  }

  /// Told how many bytes of the body have been sent, and how many there are if known.
  ///
  /// Called in order from a thread of the transport's, for as long as the request is sent: be quick.
  public typealias UploadProgress = @Sendable (_ sent: Int64, _ total: Int64?) -> Void

  /// The method.
  public var method: HTTPMethod
  /// An absolute `http` or `https` URL, percent-encoded; its fragment is not sent.
  public var url: URL
  /// The fields to send. `Host`, `Content-Length`, `Accept-Encoding` and `Connection` are the transport's unless given
  /// here.
  public var headers: HTTPHeaders
  /// The body.
  public var body: RequestBody
  /// How the response's body is handed over.
  public var delivery: Delivery
  /// How long each phase may take.
  public var deadlines: Deadlines
  /// How large the response may be.
  public var limits: ResponseLimits
  /// Whether the transport may send the request again when a kept-alive connection dies before any answer. What a
  /// server has promised not to have processed it sends again in any case.
  public var mayResend: Bool
  /// Told while the body is being sent.
  public var uploadProgress: UploadProgress?

  /// A request; `mayResend` starts as true for an idempotent method whose body is not one-shot.
  public init(
    _ method: HTTPMethod = .get, _ url: URL, headers: HTTPHeaders = [:], body: RequestBody = .none,
    delivery: Delivery = .whole, deadlines: Deadlines = Deadlines(), limits: ResponseLimits = ResponseLimits()
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.delivery = delivery
    self.deadlines = deadlines
    self.limits = limits
    self.mayResend = method.isIdempotent && !body.isOneShot
  }
}

extension TransportRequest: CustomStringConvertible, CustomReflectable {
  /// Method and URL, without the query's values.
  public var description: String { "\(method) \(Redactor.textWithoutQuery(of: url))" }

  /// The parts but the body, the URL as ``description`` shows it, so that `dump` gives away no more.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "request": description, "headers": headers, "delivery": delivery, "deadlines": deadlines,
        "limits": limits, "mayResend": mayResend,
      ])
  }
}
