internal import FetchKit
internal import Foundation

/// One step of a connection while it answers.
enum SendStep {
  case send(Data)
  case sendRepeated(Data, count: Int)
  case steps([SendStep], count: Int)
  case wait(Duration)
  case hold(LoopbackGate)
  case end(LoopbackResponse.Break)
  case openSocket(LoopbackResponse.SocketHandler, LoopbackRequest, subprotocol: String?)
}

extension SendStep {
  init(_ step: LoopbackResponse.Step) {
    switch step {
    case .send(let data): self = .send(data)
    case .pause(let duration): self = .wait(duration)
    case .hold(let gate): self = .hold(gate)
    case .end(let way): self = .end(way)
    }
  }
}

extension LoopbackResponse {
  /// Returns the steps that send the response to a request. The last step is `.end` unless the connection stays open.
  func steps(for request: LoopbackRequest?) -> [SendStep] {
    if let script { return script.map(SendStep.init) }
    var steps: [SendStep] = []
    if let delay = faults.delay { steps.append(.wait(delay)) }
    for line in faults.interim { steps.append(.send(Data("HTTP/1.1 \(line)\r\n\r\n".utf8))) }
    let head: Data
    var payload: [SendStep]
    if let socket, let request {
      head = Data(Self.socketHead(to: request, socket.subprotocol, headers).utf8)
      payload = [.openSocket(socket.handler, request, subprotocol: socket.subprotocol)]
    } else if let raw {
      let (rawHead, rawBody) = Self.split(raw)
      head = rawHead
      payload = [.send(rawBody)]
    } else {
      head = Data(headText.utf8)
      payload = request?.method == .head || [204, 304].contains(status) ? [] : framedBody
    }
    var pieces = [SendStep.send(head)] + payload
    if let cut = faults.cut {
      pieces = Self.first(cut.point.offset(head: head.count), of: pieces).taken + [.end(cut.by)]
    } else if raw != nil || faults.closesAfterwards || closesConnection(request) {
      pieces.append(.end(.close))
    }
    if let (gate, point) = faults.gate {
      let (before, after) = Self.first(point.offset(head: head.count), of: pieces)
      pieces = before + [.hold(gate)] + after
    }
    if let drip = faults.drip { pieces = Self.dripped(pieces, drip.bytes, drip.every) }
    return steps + pieces
  }

  private func closesConnection(_ request: LoopbackRequest?) -> Bool {
    if case .untilClose = framing { return true }
    return request?.headers["Connection"]?.lowercased() == "close" || headers["Connection"]?.lowercased() == "close"
  }

  private var headText: String {
    var text = "HTTP/1.1 \(status) \(Self.reason(status))\r\n"
    for field in headers { text += "\(field.name): \(field.value)\r\n" }
    switch framing {
    case .length(let declared):
      if declared != nil || ![204, 304].contains(status) { text += "Content-Length: \(declared ?? bodyCount)\r\n" }
    case .chunked: text += "Transfer-Encoding: chunked\r\n"
    case .untilClose: text += "Connection: close\r\n"
    }
    return text + "\r\n"
  }

  private var bodyCount: Int {
    switch body {
    case .data(let data): data.count
    case .repeated(let data, let count): data.count * count
    }
  }

  private var framedBody: [SendStep] {
    switch (framing, body) {
    case (.chunked(let size), .data(let data)):
      let chunks = stride(from: 0, to: data.count, by: size).map { offset in
        Self.chunk(data.dropFirst(offset).prefix(size))
      }
      return [.send(chunks.reduce(Data(), +) + Data("0\r\n\r\n".utf8))]
    case (.chunked, .repeated(let data, let count)):
      return [.sendRepeated(Self.chunk(data), count: count), .send(Data("0\r\n\r\n".utf8))]
    case (_, .data(let data)): return data.isEmpty ? [] : [.send(data)]
    case (_, .repeated(let data, let count)): return [.sendRepeated(data, count: count)]
    }
  }

  private static func chunk(_ data: Data) -> Data {
    Data("\(String(data.count, radix: 16))\r\n".utf8) + data + Data("\r\n".utf8)
  }

  private static func split(_ raw: Data) -> (head: Data, body: Data) {
    guard let end = raw.range(of: Data("\r\n\r\n".utf8)) else { return (raw, Data()) }
    return (raw[..<end.upperBound], raw[end.upperBound...])
  }

  private static func first(_ count: Int, of steps: [SendStep]) -> (taken: [SendStep], rest: [SendStep]) {
    var left = count
    var taken: [SendStep] = []
    for (index, step) in steps.enumerated() {
      guard case .send(let data) = step else {
        if case .sendRepeated(let data, let times) = step {
          if data.count * times <= left {
            left -= data.count * times
            taken.append(step)
            continue
          }
          let whole = left / max(1, data.count)
          let part = left - whole * data.count
          taken += [.sendRepeated(data, count: whole), .send(data.prefix(part))]
          let rest: [SendStep] = [.send(data.dropFirst(part)), .sendRepeated(data, count: times - whole - 1)]
          return (taken, rest + steps[(index + 1)...])
        }
        taken.append(step)
        continue
      }
      if data.count > left {
        taken.append(.send(data.prefix(left)))
        return (taken, [.send(data.dropFirst(left))] + steps[(index + 1)...])
      }
      left -= data.count
      taken.append(step)
      if left == 0 { return (taken, Array(steps[(index + 1)...])) }
    }
    return (taken, [])
  }

  static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 201: "Created"
    case 204: "No Content"
    case 206: "Partial Content"
    case 304: "Not Modified"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 404: "Not Found"
    case 416: "Range Not Satisfiable"
    case 429: "Too Many Requests"
    case 500: "Internal Server Error"
    case 503: "Service Unavailable"
    default: "Status"
    }
  }
}

extension LoopbackResponse.Point {
  func offset(head: Int) -> Int {
    switch self {
    case .start: 0
    case .head(let bytes): min(bytes, head)
    case .body(let bytes): head + bytes
    }
  }
}

extension LoopbackResponse {
  /// Returns the steps that send the given number of bytes at a time, with a wait after each piece except the last one.
  private static func dripped(_ steps: [SendStep], _ bytes: Int, _ interval: Duration) -> [SendStep] {
    let last = steps.lastIndex { $0.sendsBytes }
    return steps.enumerated().flatMap { index, step in
      step.dripped(bytes, interval, isLast: index == last)
    }
  }
}

extension SendStep {
  fileprivate var sendsBytes: Bool {
    switch self {
    case .send(let data): !data.isEmpty
    case .sendRepeated(let data, let count): !data.isEmpty && count > 0
    case .steps, .wait, .hold, .end, .openSocket: false
    }
  }

  /// Returns the steps that send the same bytes in pieces, with a wait after each piece, or between them if nothing is
  /// sent after this step.
  fileprivate func dripped(_ bytes: Int, _ interval: Duration, isLast: Bool) -> [SendStep] {
    switch self {
    case .send(let data):
      let steps = stride(from: 0, to: data.count, by: bytes).flatMap { offset -> [SendStep] in
        [.send(data.dropFirst(offset).prefix(bytes)), .wait(interval)]
      }
      return isLast ? steps.dropLast() : steps
    case .sendRepeated(let data, let count):
      let all = SendStep.send(data).dripped(bytes, interval, isLast: false)
      return isLast ? [.steps(all, count: count - 1)] + all.dropLast() : [.steps(all, count: count)]
    case .steps, .wait, .hold, .end, .openSocket: return [self]
    }
  }
}
