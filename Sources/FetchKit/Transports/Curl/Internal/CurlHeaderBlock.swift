#if canImport(CLarderCurl)
internal import CLarderCurl

/// Header fields as a libcurl list, in a single allocation.
///
/// `@unchecked Sendable`: written only by the initializer and freed with the last reference; libcurl only reads it.
final class CurlHeaderBlock: @unchecked Sendable {
  let first: UnsafeMutablePointer<curl_slist>
  private let memory: UnsafeMutableRawPointer

  /// - Precondition: `lines` is not empty, and no line contains a zero byte.
  init(_ lines: [String]) {
    let nodes = lines.count * MemoryLayout<curl_slist>.stride
    let characters = lines.reduce(0) { $0 + $1.utf8.count + 1 }
    memory = .allocate(byteCount: nodes + characters, alignment: MemoryLayout<curl_slist>.alignment)
    first = memory.bindMemory(to: curl_slist.self, capacity: lines.count)
    var text = (memory + nodes).bindMemory(to: CChar.self, capacity: characters)
    for (index, line) in lines.enumerated() {
      let next = index + 1 < lines.count ? first + index + 1 : nil
      (first + index).initialize(to: curl_slist(data: text, next: next))
      for byte in line.utf8 {
        text.initialize(to: CChar(bitPattern: byte))
        text += 1
      }
      text.initialize(to: 0)
      text += 1
    }
  }

  deinit {
    memory.deallocate()
  }
}

/// The last block for a GET request, because the requests of a client often have the same fields.
final class CurlHeaderBlocks: Sendable {
  /// The content codings that are offered.
  let encodings: String
  private let last = Lock<(fields: HTTPHeaders, block: CurlHeaderBlock)?>(nil)

  init(accepting encodings: String) {
    self.encodings = encodings
  }

  func block(for request: TransportRequest, _ make: () -> CurlHeaderBlock) -> CurlHeaderBlock {
    guard request.method == .get, request.delivery == .whole else { return make() }
    let known = last.withLock { $0.flatMap { $0.fields.isCopy(of: request.headers) ? $0.block : nil } }
    if let known { return known }
    let block = make()
    last.withLock { $0 = (request.headers, block) }
    return block
  }
}
#endif
