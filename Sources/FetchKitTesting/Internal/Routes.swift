internal import FetchKit
internal import Foundation

/// The routes of a server and the requests it has received.
final class Routes: Sendable {
  enum Answer: Sendable {
    case response(LoopbackResponse)
    case handler(LoopbackServer.Handler, parameters: [String: String])
  }

  struct Route: Sendable {
    var method: HTTPMethod?
    var segments: [Substring]
    var moment: LoopbackServer.Moment
    var content: Content
    var uses = 0
  }

  enum Content: Sendable {
    case responses([LoopbackResponse])
    case handler(LoopbackServer.Handler)
  }

  struct Seen: Sendable {
    var requests: [LoopbackRequest] = []
    var accepted = 0
    var open = 0
    var isStopped = false
  }

  private struct Table {
    var routes: [Route] = []
    var connectionFaults: [LoopbackResponse.Break] = []
  }

  let seen = Watched(Seen())
  private let table = Lock(Table())

  func add(_ route: Route) {
    table.withLock { table in
      table.routes.removeAll { $0.method == route.method && $0.segments == route.segments }
      table.routes.append(route)
    }
  }

  func addConnectionFaults(_ faults: [LoopbackResponse.Break]) {
    table.withLock { $0.connectionFaults += faults }
  }

  func faultForNextConnection() -> LoopbackResponse.Break? {
    table.withLock { $0.connectionFaults.isEmpty ? nil : $0.connectionFaults.removeFirst() }
  }

  func record(_ request: LoopbackRequest) {
    seen.update { $0.requests.append(request) }
  }

  func earlyAnswer(to head: LoopbackRequest) -> (Answer, bodyBytes: Int)? {
    table.withLock { table in
      guard let (index, parameters) = Self.find(head, in: table.routes) else { return nil }
      let bytes: Int
      switch table.routes[index].moment {
      case .complete: return nil
      case .head: bytes = 0
      case .body(let count): bytes = count
      }
      return (Self.take(&table.routes[index], parameters), bytes)
    }
  }

  func answer(to request: LoopbackRequest) -> Answer {
    table.withLock { table in
      guard let (index, parameters) = Self.find(request, in: table.routes) else {
        let asked = Self.decodedSegments(of: request)
        let isOtherMethod = table.routes.contains { Self.match($0, asked) != nil }
        return .response(.text("no route for \(request.method) \(request.path)", status: isOtherMethod ? 405 : 404))
      }
      return Self.take(&table.routes[index], parameters)
    }
  }

  private static func take(_ route: inout Route, _ parameters: [String: String]) -> Answer {
    defer { route.uses += 1 }
    switch route.content {
    case .handler(let handler): return .handler(handler, parameters: parameters)
    case .responses(let responses): return .response(responses[min(route.uses, responses.count - 1)])
    }
  }

  /// Returns the last route that matches, so that a test can replace one. Routes with the path `*` are considered last.
  private static func find(_ request: LoopbackRequest, in routes: [Route]) -> (Int, [String: String])? {
    let asked = decodedSegments(of: request)
    var general: Int?
    for (index, route) in routes.enumerated().reversed() where route.method == nil || route.method == request.method {
      if route.segments == ["*"] {
        general = general ?? index
      } else if let parameters = match(route, asked) {
        return (index, parameters)
      }
    }
    return general.map { ($0, [:]) }
  }

  /// Splits a path at its slashes, ignoring a leading slash. An encoded slash is part of its segment.
  static func segments(of path: Substring) -> [Substring] {
    (path.first == "/" ? path.dropFirst() : path).split(separator: "/", omittingEmptySubsequences: false)
  }

  private static func decodedSegments(of request: LoopbackRequest) -> [String] {
    segments(of: request.target.prefix { $0 != "?" }).map { $0.removingPercentEncoding ?? String($0) }
  }

  private static func match(_ route: Route, _ segments: [String]) -> [String: String]? {
    guard segments.count == route.segments.count else { return nil }
    var parameters: [String: String] = [:]
    for (pattern, segment) in zip(route.segments, segments) {
      if pattern.hasPrefix("{"), pattern.hasSuffix("}") {
        parameters[String(pattern.dropFirst().dropLast())] = segment
      } else if pattern != segment {
        return nil
      }
    }
    return parameters
  }
}
