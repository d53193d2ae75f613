import FetchKit
import FetchKitTesting
import Foundation
import LarderTestSupport

/// A tracker as it answers over HTTP: entity tags, conditions, idempotency keys and problems.
actor TrackerServer {
  struct Ticket: Codable, Sendable {
    var number: Int64
    var title: String
    var notes: String?
    var updated = Date(timeIntervalSince1970: 0)
    var revision: Int64 = 0
  }

  /// How a list is read.
  enum Listing: CaseIterable { case whole, links, cursors, pages, changes }

  nonisolated let url: URL
  private nonisolated let server: LoopbackServer
  private(set) var tickets: [Int64: Ticket] = [:]
  private var created: [String: Int64] = [:]
  private var revision: Int64 = 0
  private var next: Int64 = 1
  private(set) var requests: [String] = []
  /// What was answered, but for answers that a test has given.
  private(set) var statuses: [Int] = []
  /// What the next requests with a method are answered with, after they took effect or instead of that.
  private var answers: [(method: HTTPMethod, target: String, response: LoopbackResponse, takesEffect: Bool)] = []

  init() throws {
    server = try LoopbackServer()
    url = server.url
    server.on(.get, "/tickets") { [unowned self] in await respond($0) { $0.list($1) } }
    server.on(.post, "/tickets") { [unowned self] in await respond($0) { try $0.create($1) } }
    server.on(.patch, "/tickets/{number}") { [unowned self] in await respond($0) { try $0.update($1) } }
    server.on(.delete, "/tickets/{number}") { [unowned self] in await respond($0) { $0.delete($1) } }
  }

  /// - Parameter target: What the target of the request contains.
  func answer(
    _ method: HTTPMethod, _ target: String = "", with response: LoopbackResponse, takesEffect: Bool = false
  ) {
    answers.append((method, target, response, takesEffect))
  }

  func insert(_ title: String) {
    write(Ticket(number: next, title: title))
    next += 1
  }

  func edit(_ number: Int64, _ change: @Sendable (inout Ticket) -> Void) {
    guard var ticket = tickets[number] else { return }
    change(&ticket)
    write(ticket)
  }

  func remove(_ number: Int64) {
    revision += 1
    tickets[number] = nil
  }

  private func write(_ ticket: Ticket) {
    revision += 1
    var ticket = ticket
    (ticket.revision, ticket.updated) = (revision, Date(timeIntervalSince1970: Double(revision)))
    tickets[ticket.number] = ticket
  }

  private func respond(
    _ request: LoopbackRequest, _ work: @Sendable (isolated TrackerServer, LoopbackRequest) throws -> LoopbackResponse
  ) -> LoopbackResponse {
    requests.append("\(request.method) \(request.target)")
    let index = answers.firstIndex {
      $0.method == request.method && ($0.target.isEmpty || request.target.contains($0.target))
    }
    let answer = index.map { answers.remove(at: $0) }
    if let answer, !answer.takesEffect { return answer.response }
    let response = (try? work(self, request)) ?? .status(400)
    statuses.append(response.status)
    return answer?.response ?? response
  }

  private func list(_ request: LoopbackRequest) -> LoopbackResponse {
    let since = request.query("since").flatMap { Double($0) } ?? -1
    let all = tickets.values.filter { $0.updated.timeIntervalSince1970 >= since }.sorted { $0.number < $1.number }
    let tag = "\"\(revision)\""
    if request.headers["If-None-Match"] == tag { return .status(304, headers: ["ETag": tag]) }
    guard let size = request.query("size").flatMap({ Int($0) }) else { return json(all, tag) }
    let page = request.query("page").flatMap { Int($0) } ?? 0
    let part = Array(all.dropFirst(page * size).prefix(size))
    let hasMore = all.count > (page + 1) * size
    // As some frameworks do.
    if page > 0, part.isEmpty { return .status(404) }
    switch request.query("style") {
    case "links":
      var response = json(part, tag)
      if hasMore { response.headers["Link"] = "</tickets?size=\(size)&style=links&page=\(page + 1)>; rel=\"next\"" }
      return response
    case "cursors":
      let body = #"{"items": \#(text(part)), "next": \#(hasMore ? "\"\(page + 1)\"" : "null")}"#
      return .json(body)
    default: return json(part, tag)
    }
  }

  private func create(_ request: LoopbackRequest) throws -> LoopbackResponse {
    let key = request.headers["Idempotency-Key"] ?? ""
    if let number = created[key] { return one(number) }
    var ticket = Ticket(number: next, title: "")
    try change(&ticket, request)
    if ticket.title.contains("!") {
      return .json(#"{"title": "Unprocessable", "detail": "no exclamations"}"#, status: 422)
    }
    created[key] = next
    write(ticket)
    next += 1
    return one(ticket.number, status: 201)
  }

  private func update(_ request: LoopbackRequest) throws -> LoopbackResponse {
    let number = request.parameters["number"].flatMap { Int64($0) } ?? 0
    guard var ticket = tickets[number] else { return .status(404) }
    if let tag = request.headers["If-Match"], tag != "\"\(ticket.revision)\"" { return .status(412) }
    try change(&ticket, request)
    write(ticket)
    return one(number)
  }

  private func delete(_ request: LoopbackRequest) -> LoopbackResponse {
    let number = request.parameters["number"].flatMap { Int64($0) } ?? 0
    if tickets[number] == nil { return .status(404) }
    remove(number)
    return .status(204)
  }

  private func change(_ ticket: inout Ticket, _ request: LoopbackRequest) throws {
    let body = try JSONDecoder().decode(TicketBody.self, from: request.body)
    if let title = body.title { ticket.title = title }
    if let notes = body.notes { ticket.notes = notes.isEmpty ? nil : notes }
  }

  private func one(_ number: Int64, status: Int = 200) -> LoopbackResponse {
    guard let ticket = tickets[number] else { return .status(404) }
    var response = LoopbackResponse.json((try? JSONEncoder().encode(ticket)) ?? Data(), status: status)
    response.headers["ETag"] = "\"\(ticket.revision)\""
    return response
  }

  private func json(_ tickets: [Ticket], _ tag: String) -> LoopbackResponse {
    var response = LoopbackResponse.json(text(tickets))
    response.headers["ETag"] = tag
    return response
  }

  private func text(_ tickets: [Ticket]) -> String {
    String(decoding: (try? JSONEncoder().encode(tickets)) ?? Data(), as: UTF8.self)
  }
}

/// What is sent: an empty text is nil.
struct TicketBody: Codable, Sendable {
  var title: String?
  var notes: String?
}
