import Foundation

/// However the frames of a WebSocket are cut, they mean the same, and no message is larger than the limit.
@Sendable func fuzzFrames(_ input: [UInt8]) {
  guard let options = input.first else { return }
  let frames = Array(input.dropFirst())
  let whole = events(of: frames, options, in: frames.count)
  for size in [1, 1 + Int(options >> 2)] where events(of: frames, options, in: size) != whole {
    found("pieces of \(size) bytes: \(events(of: frames, options, in: size)), not \(whole)")
  }
  for (index, event) in whole.enumerated() {
    switch event {
    case .message(let message) where message.byteCount > frameLimit: found("a message of \(message.byteCount) bytes")
    case .closed where index + 1 < whole.count, .failed where index + 1 < whole.count: found("more after \(event)")
    default: break
    }
  }
}

private let frameLimit = 5000

private func events(of frames: [UInt8], _ options: UInt8, in size: Int) -> [WebSocketReceiver.Event] {
  var agreement = DeflateAgreement()
  agreement.serverResets = options & 2 != 0
  var receiver = WebSocketReceiver(limit: frameLimit, options & 1 == 0 ? nil : agreement)
  var events: [WebSocketReceiver.Event] = []
  var rest = frames[...]
  while !rest.isEmpty {
    Array(rest.prefix(max(size, 1))).withUnsafeBytes {
      receiver.receive($0) { events.append(options & 1 == 0 ? $0 : normalized($0)) }
    }
    rest = rest.dropFirst(max(size, 1))
  }
  return events
}

/// zlib withholds what it has decompressed before an error, if it sees both at once: the text may be wrong, or too
/// long, sooner.
private func normalized(_ event: WebSocketReceiver.Event) -> WebSocketReceiver.Event {
  switch event {
  case .failed(.invalidPayload), .failed(.tooLarge): .failed(.invalidPayload(reason: ""))
  default: event
  }
}
