public import Foundation

/// A request in its final form, as passed to a transport.
public struct TransportRequest: Sendable {
  /// How the body of the response is delivered.
  public enum Delivery: Sendable, Hashable {
    /// The body is delivered in one piece when it is complete. The transport accepts all compression formats that it
    /// supports, and it decompresses the body.
    case whole
    /// The body is delivered in chunks as they arrive. The transport does not request compression, so byte offsets and
    /// lengths are the same as on the server. If the server compresses the body nevertheless, it is decompressed, and
    /// ``ResponseHead/codingRemoved`` is set.
    case stream
  }

  /// A function that receives the number of body bytes sent so far, and the total number if it is known.
  ///
  /// The transport calls this function on one of its own threads while the request is being sent, so the function must
  /// return quickly. The calls are made in order.
  public typealias UploadProgress = @Sendable (_ sent: Int64, _ total: Int64?) -> Void

  /// The HTTP method.
  public var method: HTTPMethod
  /// An absolute `http` or `https` URL, percent-encoded. The URL's fragment is not sent.
  public var url: URL
  /// The header fields to send. The transport sets `Host`, `Content-Length`, `Accept-Encoding` and `Connection` unless
  /// the request specifies them. If there is a `Range`, a client sends `Accept-Encoding: identity`.
  public var headers: HTTPHeaders
  /// The body to send.
  public var body: RequestBody
  /// How the response's body is delivered.
  public var delivery: Delivery
  /// The timeouts for the phases of the request.
  public var timeouts: Timeouts
  /// The maximum sizes of the parts of the response.
  public var limits: ResponseLimits
  /// Whether the transport can send the request again if a reused connection dies before any response is received.
  /// If an HTTP/2 server has guaranteed that it has not processed the request, the transport can send the request again
  /// even if this property is false.
  public var allowsResend: Bool
  /// A function that receives the upload progress while the request body is being sent.
  public var uploadProgress: UploadProgress?
  /// The wait of the fetch that the request belongs to, for an ``InterruptibleTransport``.
  var wait: OpenFetch.Wait?

  /// Creates a request. ``allowsResend`` is initially true if the method is idempotent and the body can be read more
  /// than once.
  public init(
    _ method: HTTPMethod = .get, _ url: URL, headers: HTTPHeaders = [:], body: RequestBody = .none,
    delivery: Delivery = .whole, timeouts: Timeouts = Timeouts(), limits: ResponseLimits = ResponseLimits()
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.delivery = delivery
    self.timeouts = timeouts
    self.limits = limits
    self.allowsResend = method.isIdempotent && !body.isOneShot
  }
}

extension TransportRequest: CustomStringConvertible, CustomReflectable {
  /// The method and the URL without its query values.
  public var description: String { "\(method) \(Redactor.textWithoutQuery(of: url))" }

  /// The parts of the request except the body. The URL is shown as in ``description``, so that `dump` reveals no more
  /// than the description does.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "request": description, "headers": headers, "delivery": delivery, "timeouts": timeouts,
        "limits": limits, "allowsResend": allowsResend,
      ])
  }
}
