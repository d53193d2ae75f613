import FetchKitTesting
import Foundation

@testable import FetchKit

/// A time of day that a test sets.
final class TestDate: Sendable {
  /// Sun, 06 Nov 1994 08:49:37 GMT
  static let start = Date(timeIntervalSince1970: 784_111_777)

  private let date = Lock(start)

  var now: Date { date.withLock { $0 } }

  func advance(by seconds: Double) {
    date.withLock { $0 += seconds }
  }
}

extension Date {
  /// The preferred form of a date in HTTP.
  var http: String {
    let days = Int((timeIntervalSince1970 / 86400).rounded(.down))
    let second = Int(timeIntervalSince1970) - days * 86400
    // Civil from days since 1970-01-01, years counted from March.
    let shifted = days + 719_468
    let era = Int((Double(shifted) / 146_097).rounded(.down))
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let part = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * part + 2) / 5 + 1
    let month = part < 10 ? part + 3 : part - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][((days % 7) + 7) % 7]
    let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let time = "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))"
    return "\(weekday), \(two(day)) \(names[month - 1]) \(year) \(time) GMT"
  }
}

/// A client with a cache over a stub, at a time that the test sets.
struct CachedClient {
  let client: FetchClient
  let cache: HTTPCache
  let stub: StubTransport
  let date = TestDate()
  let url = URL(string: "http://example.com/thing") ?? URL(filePath: "/")

  init(
    cache: HTTPCache = HTTPCache(), _ change: (inout FetchClient.Configuration) -> Void = { _ in },
    answer: @escaping StubTransport.Answer
  ) {
    stub = StubTransport(answer)
    self.cache = cache
    client = FetchClient { [stub, date] in
      $0.transport = stub
      $0.cache = cache
      $0.date = { date.now }
      change(&$0)
    }
  }

  /// Answers every request with these fields, and the number of the request for a body.
  init(cache: HTTPCache = HTTPCache(), headers: HTTPHeaders) {
    let count = Lock(0)
    self.init(cache: cache) { _ throws(TransportError) in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return .stub(headers: headers, body: Data("\(number)".utf8))
    }
  }

  func get(
    _ method: HTTPMethod = .get, _ path: String = "", headers: HTTPHeaders = [:], mode: CacheMode = .standard,
    body: RequestBody = .none
  ) async throws(FetchError) -> FetchResponse {
    var request = HTTPRequest(method, path.isEmpty ? url : url.appending(path: path), headers: headers, body: body)
    request.options.cache = mode
    return try await client.fetch(request, .response)
  }

  /// The body and its source.
  func text(
    _ method: HTTPMethod = .get, headers: HTTPHeaders = [:], mode: CacheMode = .standard
  ) async throws(FetchError) -> String {
    let response = try await get(method, headers: headers, mode: mode)
    return "\(String(decoding: response.body, as: UTF8.self)) \(response.source.rawValue)"
  }
}

extension CacheRequest {
  init(
    _ method: HTTPMethod = .get, _ headers: HTTPHeaders = [:], mode: CacheMode = .standard,
    url: String = "http://example.com/a"
  ) {
    var request = HTTPRequest(method, URL(string: url) ?? URL(filePath: "/"), headers: headers)
    request.options.cache = mode
    self.init(request, .standard)
  }
}

extension StoredResponse {
  /// A response received at the test's start.
  convenience init(
    _ status: Int = 200, _ headers: HTTPHeaders, body: String = "0123456789", requested: Date = TestDate.start,
    received: Date = TestDate.start
  ) {
    self.init(
      status: status, version: nil, headers: headers, body: Data(body.utf8), requested: requested, received: received)
  }
}
