/// The head of a response and its body.
public struct TransportResponse: Sendable {
  /// Status, fields, and what is known about the way it came.
  public var head: ResponseHead
  /// The body: complete for ``TransportRequest/Delivery/whole``, else read as it is consumed.
  public var body: ResponseBody

  /// A response from its parts.
  public init(head: ResponseHead, body: ResponseBody) {
    self.head = head
    self.body = body
  }
}
