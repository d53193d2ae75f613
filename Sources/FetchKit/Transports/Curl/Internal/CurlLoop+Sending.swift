#if canImport(CLarderCurl)
extension CurlLoop: CurlEngine {
  func send(
    _ request: TransportRequest, for transport: CurlTransport
  ) async throws(TransportError) -> TransportResponse {
    guard !Task.isCancelled else { throw .cancelled }
    try request.validate()
    let transfer = try CurlTransfer(request, settings)
    var channel: BodyChannel?
    if request.delivery == .stream {
      // The channel holds the transport, so that its connections stay open while the body is read. The transfer lets go
      // of the channel when it ends.
      channel = BodyChannel(
        highWater: settings.streamBuffer, onFlow: { withExtendedLifetime(transport) { self.post(.resume(transfer)) } },
        onCancel: { self.post(.cancel(transfer)) })
      transfer.body.channel = channel
    }
    guard request.wait?.ends(by: { self.post(.cancel(transfer)) }) ?? true else { throw .cancelled }
    transfer.upload?.begin { self.post(.uploaded(transfer, $0, generation: $1)) }
    await withTaskCancellationHandler {
      await withCheckedContinuation { self.start(transfer, $0) }
    } onCancel: {
      // This runs under the task's own lock, so it only posts a message. It must not take a lock that is held while a
      // task is resumed.
      self.post(.cancel(transfer))
    }
    let answer = try transfer.takeAnswer()
    return TransportResponse(head: answer.head, body: channel.map { ResponseBody($0) } ?? ResponseBody(answer.body))
  }
}
#endif
