import Decoding
import FetchKit
import Foundation
import Persistence
import SyncKit

final class Entry: ManagedObject {
  @Attribute(.unique) var key: UUID?
  @Attribute var title = ""
  @Attribute var text = ""
  /// What anyone changes.
  @Attribute var note = ""
  /// The device that has inserted it, and the only one that changes its text or deletes it.
  @Attribute var owner = 0
}

/// A collection of Kinto: keys that the app makes, and times that are versions and positions.
struct KintoRemote: SyncRemote {
  let client: FetchClient
  /// The records of the collection.
  let url: URL

  let classes = [SyncedClass(Entry.self, key: \.key, created: .clientKey)]
  let scopes = ["entries"]
  static let pageSize = 100

  var capabilities: RemoteCapabilities {
    var capabilities = RemoteCapabilities()
    (capabilities.versions, capabilities.comparesVersions, capabilities.pushes) = (.ordered, true, 4)
    return capabilities
  }

  func pull(_ scope: String, after position: String?) async throws -> SyncPage {
    let records = try await records(after: position)
    return SyncPage(
      records.filter { !$0.isDeleted }.map(\.remote),
      deleted: records.filter(\.isDeleted).map { RemoteKey(Entry.self, SyncKey($0.id)) },
      position: records.last.map { "\($0.version)" } ?? position, hasMore: records.count == Self.pageSize)
  }

  func records(after position: String?) async throws -> [KintoRecord] {
    var request = HTTPRequest(.get, url, headers: ["Authorization": Self.credentials])
    request.appendQuery([
      URLQueryItem(name: "_sort", value: "last_modified"), URLQueryItem(name: "_limit", value: "\(Self.pageSize)"),
      URLQueryItem(name: "_since", value: position ?? "0"),
    ])
    return try await client.fetch(request, .json([KintoRecord].self, at: "data"))
  }

  /// The name and the password of anyone.
  static let credentials = "Basic " + Data("larder:larder".utf8).base64EncodedString()

  func push(_ batch: SyncBatch, _ attempt: SyncBatch.Attempt) async throws {
    for change in batch.changes {
      try await attempt.record(change) {
        do {
          return try await send(change)
        } catch let error as FetchError {
          guard case .status(let failure, _) = error, failure.status == 412 else { throw error }
          let existing = try? JSONDecoder().decode(KintoRecord.self, from: failure.body, at: "details.existing")
          return .conflict(existing?.remote)
        }
      }
    }
  }

  private func send(_ change: SyncChange) async throws -> SyncOutcome {
    let target = url.appending(path: "\(change.key ?? "none")")
    var headers = change.headers
    headers["Authorization"] = Self.credentials
    if case .deletion = change.kind {
      _ = try await client.fetch(HTTPRequest(.delete, target, headers: headers), .data)
      return .accepted()
    }
    var data: [String: String] = [:]
    if let entry = change.of(Entry.self) {
      if entry.sets(\.title) { data["title"] = entry[\.title] }
      if entry.sets(\.text) { data["text"] = entry[\.text] }
      if entry.sets(\.note) { data["note"] = entry[\.note] }
      if entry.sets(\.owner) { data["owner"] = entry[\.owner].map { "\($0)" } }
    }
    let request = HTTPRequest(
      change.kind == .creation ? .put : .patch, target, headers: headers, body: try .json(["data": data]))
    return .accepted(try await client.fetch(request, .json(KintoRecord.self, at: "data")).remote)
  }
}

struct KintoRecord: Decodable, Sendable {
  var id: UUID
  var version: Int64
  var title: String?
  var text: String?
  var note: String?
  var owner: String?
  var deleted: Bool?

  var isDeleted: Bool { deleted == true }

  /// As an entry says it.
  var line: String { "\(SyncKey(id)) \(title ?? "") \(text ?? "") \(note ?? "") \(owner ?? "0")" }

  var remote: RemoteObject {
    RemoteObject(Entry.self, key: SyncKey(id), version: .ordered(version)) {
      $0.set(\.title, to: title ?? "")
      $0.set(\.text, to: text ?? "")
      $0.set(\.note, to: note ?? "")
      $0.set(\.owner, to: owner.flatMap { Int($0) } ?? 0)
    }
  }

  enum CodingKeys: String, CodingKey {
    case id, title, text, note, owner, deleted
    case version = "last_modified"
  }
}
