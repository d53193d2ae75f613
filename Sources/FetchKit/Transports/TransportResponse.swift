/// A response, which consists of a head and a body.
public struct TransportResponse: Sendable {
  /// The status, the header fields, and how the response was received.
  public var head: ResponseHead
  /// The body. It is complete with ``TransportRequest/Delivery/whole``. Otherwise it is read from the network as it is
  /// consumed.
  public var body: ResponseBody

  /// Creates a response from its parts.
  public init(head: ResponseHead, body: ResponseBody) {
    self.head = head
    self.body = body
  }
}
