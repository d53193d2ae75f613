import FetchKit
import FetchKitTesting
import Foundation

/// The suite's server: answers each request of a test as its step says, and records the requests.
final class CacheSuiteOrigin: Sendable {
  /// A request as received, with the response fields that the client must see.
  struct Exchange: Sendable {
    var number: Int
    var method: HTTPMethod
    var headers: HTTPHeaders
    var checked: [String: String] = [:]
  }

  struct Answer: Sendable {
    var status: Int
    var headers: HTTPHeaders
    var body: Data
    var disconnects = false

    /// The response on the wire, whatever the fields say.
    var bytes: Data {
      var text = "HTTP/1.1 \(status) Status\r\n"
      for field in headers { text += "\(field.name): \(field.value)\r\n" }
      // The server closes after a response given as raw bytes; a client that knows does not reuse the connection.
      text += "Connection: close\r\n"
      let hasBody = ![204, 304].contains(status)
      if hasBody, headers["Content-Length"] == nil, headers["Transfer-Encoding"] == nil {
        text += "Content-Length: \(body.count)\r\n"
      }
      return Data((text + "\r\n").utf8) + (hasBody ? body : Data())
    }
  }

  private static let dates: Set<String> = [
    "date", "expires", "last-modified", "if-modified-since", "if-unmodified-since",
  ]

  private let id: String
  private let steps: [CacheSuite.Step]
  private let date: TestDate
  private let seen = Lock<[Exchange]>([])

  init(_ test: CacheSuite.Test, _ date: TestDate) {
    id = test.id
    steps = test.requests
    self.date = date
  }

  var exchanges: [Exchange] { seen.withLock { $0 } }

  /// - Parameter target: Path and query of the URL.
  func answer(_ method: HTTPMethod, _ target: String, _ headers: HTTPHeaders) -> Answer {
    let number = headers["Req-Num"].flatMap { Int($0) } ?? 0
    guard steps.indices.contains(number - 1) else {
      return Answer(status: 409, headers: [:], body: Data("no such request".utf8))
    }
    let step = steps[number - 1]
    let count = exchanges.count + 1
    var answer = Answer(
      status: status(step, before: number >= 2 ? steps[number - 2] : nil, headers),
      headers: ["Server-Request-Count": "\(count)", "Client-Request-Count": "\(number)", "Server-Now": date.now.http],
      body: Data((step.responseBody ?? id).utf8), disconnects: step.disconnects)
    var exchange = Exchange(number: number, method: method, headers: headers)
    for field in step.responseHeaders {
      let value = Self.value(of: field, step, target, now: date.now)
      answer.headers.append(value, for: field.name)
      if field.isChecked { exchange.checked[field.name] = value }
    }
    if answer.headers["Content-Type"] == nil { answer.headers["Content-Type"] = "text/plain" }
    // A server like the real ones sends the date; a date in the step takes precedence.
    if answer.headers["Date"] == nil { answer.headers["Date"] = date.now.http }
    let numbers = seen.withLock { seen in
      seen.append(exchange)
      return seen.map { "\($0.number)" }.joined(separator: " ")
    }
    answer.headers["Request-Numbers"] = numbers
    if let length = answer.headers["Content-Length"].flatMap({ Int($0) }) {
      answer.body = answer.body.prefix(length) + Data(count: max(0, length - answer.body.count))
    }
    return answer
  }

  static func value(of field: CacheSuite.Step.Field, _ step: CacheSuite.Step, _ target: String, now: Date) -> String {
    let name = field.name.lowercased()
    if let seconds = field.seconds, dates.contains(name) {
      let moment = now + Double(seconds)
      return step.rfc850.contains(name) ? moment.rfc850 : moment.http
    }
    guard step.hasMagicLocations, ["location", "content-location"].contains(name) else { return field.value }
    return field.value.isEmpty ? target : "\(target)/\(field.value)"
  }

  /// Where the cache must validate, its conditions decide.
  private func status(_ step: CacheSuite.Step, before: CacheSuite.Step?, _ headers: HTTPHeaders) -> Int {
    guard let type = step.expectedType, type.hasSuffix("validated") else { return step.status ?? 200 }
    let isSame = [("Last-Modified", "If-Modified-Since"), ("ETag", "If-None-Match")].contains { name, condition in
      guard let field = before?.responseHeaders.first(where: { $0.name.lowercased() == name.lowercased() }),
        let asked = headers[condition]
      else { return false }
      return field.seconds == nil ? asked == field.value : true
    }
    return isSame ? 304 : 999
  }
}

extension Date {
  fileprivate var rfc850: String {
    let parts = http.split(separator: " ")
    let names = [
      "Mon,": "Monday", "Tue,": "Tuesday", "Wed,": "Wednesday", "Thu,": "Thursday", "Fri,": "Friday",
      "Sat,": "Saturday", "Sun,": "Sunday",
    ]
    return "\(names[String(parts[0])] ?? ""), \(parts[1])-\(parts[2])-\(parts[3].suffix(2)) \(parts[4]) GMT"
  }
}
