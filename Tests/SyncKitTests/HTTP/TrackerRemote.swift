import Decoding
import FetchKit
import Foundation
import Persistence
import SyncKit

/// A remote over HTTP, as an app would write it.
struct TrackerRemote: SyncRemote {
  let client: FetchClient
  let url: URL
  var listing = TrackerServer.Listing.whole

  let classes = [
    SyncedClass(Ticket.self, key: \.number, created: .idempotencyKey, local: [\.isExpanded, \.milestone, \.due])
  ]
  let scopes = ["tickets"]

  var capabilities: RemoteCapabilities {
    var capabilities = RemoteCapabilities()
    (capabilities.versions, capabilities.comparesVersions) = (.ordered, true)
    return capabilities
  }

  private func list(_ items: [String: String]) -> HTTPRequest {
    var request = HTTPRequest(.get, url.appending(path: "tickets"))
    request.appendQuery(items.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0, value: $1) })
    return request
  }

  func pull(_ scope: String, after position: String?) async throws -> SyncPage {
    let all = [SyncCoverage.all(Ticket.self)]
    let tickets = ExtractionStrategy.json([TrackerServer.Ticket].self)
    func objects(_ tickets: [TrackerServer.Ticket]) -> [RemoteObject] { tickets.map(\.remote) }
    switch listing {
    case .whole: return try await client.list(list([:]), tickets, after: position, covers: all, objects)
    case .links:
      return try await client.page(.link(), after: position, tickets, together: all) { _ in
        list(["size": "3", "style": "links"])
      } objects: {
        $0.map(\.remote)
      }
    case .cursors:
      let items = ExtractionStrategy.elementsIfPresent(of: TrackerServer.Ticket.self, at: "items")
      return try await client.page(.cursor(at: "next"), after: position, items, together: all) { page in
        list(["size": "3", "style": "cursors", "page": page.cursor ?? "0"])
      } objects: {
        $0.map(\.remote)
      }
    case .pages:
      return try await client.page(.number(from: 0, size: 3), after: position, tickets, together: all) { page in
        list(["size": "\(page.limit)", "page": "\(page.number)"])
      } objects: {
        $0.map(\.remote)
      }
    case .changes:
      var window = SyncWindow(after: position, overlap: .seconds(2))
      let found = try await client.fetch(
        list(window.since.map { ["since": "\($0.timeIntervalSince1970)"] } ?? [:]), tickets)
      for ticket in found { window.note(ticket.updated) }
      return SyncPage(objects(found), position: window.position, covers: window.isFirst ? all : [])
    }
  }

  func push(_ batch: SyncBatch, _ attempt: SyncBatch.Attempt) async throws {
    for change in batch.changes {
      try await attempt.record(change) {
        if case .deletion(let key) = change.kind {
          _ = try await client.fetch(request(.delete, change, key), .data)
          return .accepted()
        }
        let answer = try await client.fetch(
          request(change.kind == .creation ? .post : .patch, change, change.key), .json(TrackerServer.Ticket.self))
        return .accepted(answer.remote)
      }
    }
  }

  private func request(_ method: HTTPMethod, _ change: SyncChange, _ key: SyncKey?) throws -> HTTPRequest {
    var body = TicketBody()
    if let ticket = change.of(Ticket.self) {
      if ticket.sets(\.title) { body.title = ticket[\.title] }
      if ticket.sets(\.notes) { body.notes = ticket[\.notes] ?? "" }
    }
    let path = key.map { "tickets/\($0)" } ?? "tickets"
    return HTTPRequest(
      method, url.appending(path: path), headers: change.headers,
      body: method == .delete ? .none : try .json(body))
  }
}

extension TrackerServer.Ticket {
  fileprivate var remote: RemoteObject {
    RemoteObject(Ticket.self, key: SyncKey(number), version: .ordered(revision)) {
      $0.set(\.title, to: title)
      $0.set(\.notes, to: notes)
    }
  }
}
