internal import Foundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// What URLSession reports, always on the core's queue.
extension URLSessionCore: URLSessionDataDelegate {
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    // Linux announces interim responses too.
    if let response = response as? HTTPURLResponse, response.statusCode >= 200,
      let exchange = running[ObjectIdentifier(dataTask)]?.exchange
    {
      guard !lacksKnownKey(exchange) else {
        exchange.refused(Self.unknownKey)
        return completionHandler(.cancel)
      }
      let isCompressed = response.value(forHTTPHeaderField: "Content-Encoding") != nil
      let isBodiless = exchange.request.method == .head || [204, 304].contains(response.statusCode)
      let length = response.expectedContentLength
      let announced = isCompressed || isBodiless || length < 0 ? nil : Int(clamping: length)
      exchange.received(ResponseHead(response), announced: announced)
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    running[ObjectIdentifier(dataTask)]?.exchange.received(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    guard let exchange = running[ObjectIdentifier(task)]?.exchange else { return }
    exchange.didMove()
    guard !exchange.hasEnded else { return }
    exchange.request.uploadProgress?(totalBytesSent, totalBytesExpectedToSend > 0 ? totalBytesExpectedToSend : nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    // On Linux, calling the handler for a task that has ended in the meantime ends the process.
    guard task.state == .running else { return }
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    let exchange = running[ObjectIdentifier(task)]?.exchange
    #if canImport(Security)
    let space = challenge.protectionSpace
    switch TLSChallenge(space).answer(for: exchange?.host?.tls, isProxy: space.isProxy()) {
    case .useDefault: completionHandler(.performDefaultHandling, nil)
    case .acceptKey:
      if let key = exchange?.host?.key { hostsWithKnownKey.insert(key) }
      completionHandler(.performDefaultHandling, nil)
    case .presentCertificate:
      if let credential = exchange?.host?.tls.certificate.flatMap({ URLCredential($0) }) {
        return completionHandler(.useCredential, credential)
      }
      exchange?.refused(.connection(.tls, detail: "the client certificate's file or its passphrase is wrong"))
      completionHandler(.cancelAuthenticationChallenge, nil)
    case .refuse(let reason):
      exchange?.refused(.connection(.tls, detail: reason))
      completionHandler(.cancelAuthenticationChallenge, nil)
    }
    #else
    // Without an answer the task hangs indefinitely. When cancelled, it still has the response.
    exchange?.challenged()
    completionHandler(.cancelAuthenticationChallenge, nil)
    #endif
  }

  private static let unknownKey = TransportError.connection(
    .tls, detail: "URLSession showed no certificate to compare with the pinned keys")

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let ended = ended(task) else { return }
    let head = (task.response as? HTTPURLResponse).flatMap { $0.statusCode >= 200 ? ResponseHead($0) : nil }
    let isSecure = ended.exchange.request.url.scheme?.lowercased() == "https"
    let failure = error.map { TransportError($0, hadResponse: head != nil, isSecure: isSecure) }
    if head != nil, lacksKnownKey(ended.exchange) { return ended.exchange.refused(Self.unknownKey) }
    ended.exchange.completed(failure, lastHead: head)
  }
}
