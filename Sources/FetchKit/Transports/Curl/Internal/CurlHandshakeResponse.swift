#if canImport(CLarderCurl)
internal import Foundation

/// The response to the handshake of a WebSocket, read from the connection itself.
struct CurlHandshakeResponse {
  let head: ResponseHead
  /// After status code 101 what has arrived of the WebSocket's bytes, otherwise the body of the refusal. A chunked body
  /// is left out.
  let body: Data

  init(from pipe: any SocketPipe, _ limits: ResponseLimits) async throws(TransportError) {
    var reader = CurlResponseHeadReader()
    reader.acceptsSwitch = true
    var bytes = Data()
    var isComplete = false
    while !isComplete {
      guard let next = try await pipe.read() else {
        throw bytes.isEmpty && reader.count == 0
          ? .connection(.lost, detail: "the server ended the connection") : CurlFaults.cutOffHead
      }
      bytes.append(next)
      while !isComplete, let end = bytes.firstIndex(of: 0x0A) {
        let line = bytes[bytes.startIndex...end]
        let result = line.withUnsafeBytes { line in Result { () throws(TransportError) in try reader.read(line) } }
        isComplete = try result.get()
        bytes = bytes[(end + 1)...]
      }
      guard reader.count + (isComplete ? 0 : bytes.count) <= limits.headers else {
        throw .tooLarge(.headers, limit: limits.headers)
      }
    }
    head = ResponseHead(status: reader.status, headers: HTTPHeaders(reader.fields), version: reader.version)
    guard reader.status != 101 else {
      body = Data(bytes)
      return
    }
    try ContentLength.check(reader.fields, ofStatus: reader.status, to: .get)
    guard !reader.framing.contains(.transferCoding) else {
      body = Data()
      return
    }
    let length = [204, 304].contains(reader.status) ? 0 : head.headers["Content-Length"].flatMap { Int($0) } ?? .max
    let limit = limits.body(forStatus: reader.status)
    while bytes.count < length, let next = try await pipe.read() {
      bytes.append(next)
      guard min(bytes.count, length) <= limit else { throw .tooLarge(.body, limit: limit) }
    }
    body = Data(bytes.prefix(length))
  }
}
#endif
