import FetchKitTesting
import Foundation

@testable import FetchKit

/// One test of the suite: sends its requests through its own client and checks the expectations.
struct CacheSuiteRun {
  struct CheckError: Error, CustomStringConvertible {
    var description: String
  }

  /// The response that the client received; nil where the fetch failed.
  private struct Seen {
    var status: Int?
    var headers: HTTPHeaders = [:]
    var body = Data()

    func value(_ name: String) -> String? {
      let values = headers.values(for: name)
      return values.isEmpty ? nil : values.joined(separator: ", ")
    }
  }

  let test: CacheSuite.Test
  let cache: HTTPCache
  /// Nil where the origin is called without a network.
  let server: LoopbackServer?

  /// Why the test fails; nil if it passes.
  func failure() async -> String? {
    let date = TestDate()
    let origin = CacheSuiteOrigin(test, date)
    let client = client(origin, date)
    let root = server?.url.appending(path: "/") ?? URL(string: "http://origin.example/") ?? URL(filePath: "/")
    do {
      var seen: [Seen] = []
      for (index, step) in test.requests.enumerated() {
        let result = try await fetch(step, index + 1, client, root, date)
        await cache.waitUntilIdle()
        try check(result, step, index + 1)
        seen.append(result)
        if step.pausesAfter { date.advance(by: 3) }
      }
      try check(origin.exchanges, seen)
      return nil
    } catch let failure as CheckError {
      return failure.description
    } catch {
      return "\(error)"
    }
  }

  private func client(_ origin: CacheSuiteOrigin, _ date: TestDate) -> FetchClient {
    server?.on("*") { request in
      let answer = origin.answer(request.method, request.target, request.headers)
      let response = LoopbackResponse.raw(answer.bytes)
      return answer.disconnects ? response.cut(after: .start) : response
    }
    return FetchClient {
      $0.cache = cache
      $0.date = { date.now }
      $0.acceptableStatusCodes = 100..<1000
      guard server == nil else { return }
      $0.transport = StubTransport { request throws(TransportError) in
        let answer = origin.answer(request.method, request.url.path, request.headers)
        if answer.disconnects { throw .connection(.lost, detail: "") }
        return .stub(status: answer.status, headers: answer.headers, body: answer.body)
      }
    }
  }

  private func fetch(
    _ step: CacheSuite.Step, _ number: Int, _ client: FetchClient, _ root: URL, _ date: TestDate
  ) async throws -> Seen {
    let text = "\(root.absoluteString)test/\(test.id)\(step.filename.map { "/\($0)" } ?? "")"
    guard let url = URL(string: text + (step.query.map { "?\($0)" } ?? "")) else { throw CheckError(description: text) }
    var request = HTTPRequest(HTTPMethod(rawValue: step.method), url)
    for field in step.headers {
      request.headers.append(CacheSuiteOrigin.value(of: field, step, "", now: date.now), for: field.name)
    }
    request.headers.append("\(number)", for: "Req-Num")
    // A body that is not to be decompressed must not look compressed.
    request.headers.append("identity", for: "Accept-Encoding")
    if let body = step.body { request.body = .data(Data(body.utf8), contentType: "text/plain") }
    if step.doesNotFollow { request.options.redirects = .ignore }
    if step.mode == "no-cache" { request.options.cache = .revalidate }
    do throws(FetchError) {
      let response = try await client.fetch(request, .response)
      return Seen(status: response.status, headers: response.headers, body: response.body)
    } catch {
      // Such a step expects a lost connection, and an error is not a response from the cache.
      guard step.disconnects else { throw CheckError(description: "request \(number): \(error)") }
      return Seen()
    }
  }

  private func check(_ seen: Seen, _ step: CacheSuite.Step, _ number: Int) throws {
    func expect(_ isMet: Bool, _ what: @autoclosure () -> String) throws {
      guard isMet else { throw CheckError(description: "response \(number): \(what())") }
    }
    if let numbers = seen.value("Request-Numbers")?.split(separator: " ") {
      try expect(numbers.count == Set(numbers).count, "asked twice")
    }
    let count = seen.value("Server-Request-Count").flatMap { Int($0) }
    switch step.expectedType {
    case "cached": try expect(count.map { $0 < number } ?? true, "does not come from the cache")
    case "not_cached": try expect(count == number, "comes from the cache")
    default: break
    }
    if let expected = step.expectedStatus {
      if let expected { try expect(seen.status == expected, "has status \(seen.status ?? 0)") }
    } else {
      try expect(seen.status == step.status ?? 200, "has status \(seen.status ?? 0)")
    }
    for check in step.expectedHeaders { try expect(isMet(check, seen), "lacks \(check): \(seen.headers)") }
    for check in step.missingHeaders { try expect(!isMet(check, seen), "has \(check)") }
    guard step.checksBody, ![204, 304].contains(seen.status ?? 0), step.method != "HEAD" else { return }
    let text = String(decoding: seen.body, as: UTF8.self)
    if let expected = step.expectedText {
      if let expected { try expect(text == expected, "has the body \(text)") }
    } else {
      try expect(text == step.responseBody ?? test.id, "has the body \(text)")
    }
  }

  private func check(_ exchanges: [CacheSuiteOrigin.Exchange], _ seen: [Seen]) throws {
    var index = 0
    for (number, step) in test.requests.enumerated() {
      let exchange = exchanges.indices.contains(index) ? exchanges[index] : nil
      let name = "request \(number + 1)"
      switch step.expectedType {
      case "cached": continue
      case "etag_validated":
        guard exchange?.headers["If-None-Match"] != nil else { throw CheckError(description: "\(name) has no tag") }
      case "lm_validated":
        guard exchange?.headers["If-Modified-Since"] != nil else {
          throw CheckError(description: "\(name) has no date")
        }
      default: break
      }
      index += 1
      for check in step.expectedRequestHeaders {
        guard let exchange, isMet(check, Seen(headers: exchange.headers)) else {
          throw CheckError(description: "\(name) lacks \(check)")
        }
      }
      if let method = step.expectedMethod, exchange?.method.rawValue != method {
        throw CheckError(description: "\(name) is \(exchange?.method.rawValue ?? "not there")")
      }
      for (field, value) in exchange?.checked ?? [:] {
        guard seen[number].value(field)?.contains(value) ?? false else {
          throw CheckError(description: "response \(number + 1) lost \(field)")
        }
      }
    }
  }

  private func isMet(_ check: CacheSuite.Step.Check, _ seen: Seen) -> Bool {
    switch check {
    case .present(let name): return seen.value(name) != nil
    case .greater(let name, let bound): return seen.value(name).flatMap { Int($0) }.map { $0 > bound } ?? false
    case .equal(let name, let field):
      guard field.seconds != nil, let now = seen.value("Server-Now").flatMap(HTTPDate.parse) else {
        return seen.value(name) == field.value
      }
      return seen.value(name) == CacheSuiteOrigin.value(of: field, CacheSuite.Step([:]), "", now: now)
    }
  }
}
