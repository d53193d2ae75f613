public import FetchKit
public import Foundation
public import Persistence
public import SyncKit

// What the snippets about synchronization rely on.

public final class Milestone: ManagedObject {
  @Attribute(.unique) public var number: Int64?
  @ToMany(inverse: \Issue.milestone) public var issues: RelatedObjects<Issue>
}

public final class Issue: ManagedObject {
  @Attribute(.unique) public var number: Int64?
  @Attribute public var title = ""
  @Attribute public var isExpanded = false
  @Attribute public var position = 0
  @ToOne public var milestone: Milestone?
}

public struct IssueAnswer: Codable, Sendable {
  public var number: Int64
  public var revision: Int64
  public var title: String
  public var milestoneNumber: Int64?
  public var updated: Date

  public var remote: RemoteObject { RemoteObject(Issue.self, key: SyncKey(number)) { $0.set(\.title, to: title) } }
}

public struct IssueList: Sendable {
  public var issues: [IssueAnswer]
  public var next: String?
}

public struct IssueBody: Sendable {
  public init(title: String, milestone: Int64?) {}
  public init(_ issue: TypedSyncChange<Issue>) {}
}

public struct IssueAPI: Sendable {
  public func issues() async throws -> [IssueAnswer] { [] }
  public func issues(since date: Date?) async throws -> [IssueAnswer] { [] }
  public func send(_ change: SyncChange, _ headers: HTTPHeaders) async throws -> IssueAnswer { fatalError() }
  public func create(_ body: IssueBody, idempotencyKey: UUID) async throws -> IssueAnswer { fatalError() }
  public func update(_ key: SyncKey, _ body: IssueBody) async throws -> IssueAnswer { fatalError() }
  public func delete(_ key: SyncKey) async throws {}
  public func notify(_ names: [String], about number: Int64, idempotencyKey: UUID) async throws {}
}

public struct IssueRemote: SyncRemote {
  public init(api: IssueAPI) {}
  public let classes: [SyncedClass] = []
  public let scopes: [String] = []
  public func pull(_ scope: String, after position: String?) async throws -> SyncPage { SyncPage([]) }
  public func push(_ batch: SyncBatch, _ attempt: SyncBatch.Attempt) async throws {}
}

public let api = IssueAPI()
public let url = URL(filePath: "Issues.store")
public var answer: IssueList { fatalError() }
public var client: FetchClient { fatalError() }
public var batch: SyncBatch { fatalError() }
public var attempt: SyncBatch.Attempt { fatalError() }
public var change: SyncChange { fatalError() }
public var engine: SyncEngine { fatalError() }
public var context: ObjectContext { fatalError() }

public func show(_ text: String) {}
