internal import Foundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Handles what URLSession reports, always on the core's queue.
extension URLSessionCore: URLSessionDataDelegate {
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    // Linux announces interim responses too.
    if let response = response as? HTTPURLResponse, response.statusCode >= 200,
      let exchange = running[ObjectIdentifier(dataTask)]?.exchange
    {
      noteKey(of: dataTask)
      guard !lacksKnownKey(exchange) else {
        refuse(exchange)
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
    // Other tasks could use a connection that an unknown task has opened without a check.
    guard let exchange else { return completionHandler(.cancelAuthenticationChallenge, nil) }
    let space = challenge.protectionSpace
    switch TLSChallenge(space).answer(for: exchange.host?.tls, isProxy: space.isProxy()) {
    case .useDefault: completionHandler(.performDefaultHandling, nil)
    case .acceptKey:
      running[ObjectIdentifier(task)]?.hasKnownKey = true
      completionHandler(.performDefaultHandling, nil)
    case .presentCertificate:
      if challenge.previousFailureCount == 0,
        let credential = exchange.host?.tls.certificate.flatMap({ URLCredential($0) })
      {
        return completionHandler(.useCredential, credential)
      }
      let isRejected = challenge.previousFailureCount > 0
      let reason = isRejected ? "certificate was rejected" : "certificate's file or its passphrase is wrong"
      exchange.refused(.connection(.tls, detail: "the client \(reason)"))
      completionHandler(.cancelAuthenticationChallenge, nil)
    case .refuse(let reason):
      exchange.refused(.connection(.tls, detail: reason))
      completionHandler(.cancelAuthenticationChallenge, nil)
    }
    #else
    // Without an answer the task hangs indefinitely. When cancelled, it still has the response.
    exchange?.challenged()
    completionHandler(.cancelAuthenticationChallenge, nil)
    #endif
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let head = (task.response as? HTTPURLResponse).flatMap { $0.statusCode >= 200 ? ResponseHead($0) : nil }
    if head != nil { noteKey(of: task) }
    guard let ended = ended(task) else { return }
    let isSecure = ended.exchange.request.url.scheme?.lowercased() == "https"
    let failure = error.map { TransportError($0, hadResponse: head != nil, isSecure: isSecure) }
    if head != nil, lacksKnownKey(ended.exchange) { return refuse(ended.exchange) }
    ended.exchange.completed(failure, lastHead: head)
  }
}
