internal import Foundation

#if !canImport(Darwin)
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
    #if canImport(Security)
    let space = challenge.protectionSpace
    // Other tasks could use a connection that an unknown task has opened without a check.
    guard var entry = running[ObjectIdentifier(task)] else {
      return completionHandler(.cancelAuthenticationChallenge, nil)
    }
    let answer = entry.answer(
      TLSChallenge(space), isProxy: space.isProxy(), failures: challenge.previousFailureCount,
      credential: { URLCredential($0) })
    running[ObjectIdentifier(task)] = entry
    if let refusal = answer.refusal { entry.exchange.end(refusal) }
    completionHandler(answer.disposition, answer.credential)
    #else
    // Without an answer the task hangs indefinitely. When cancelled, it still has the response.
    running[ObjectIdentifier(task)]?.exchange.challenged()
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
