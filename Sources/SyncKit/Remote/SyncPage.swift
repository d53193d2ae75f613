public import Persistence

/// A page of a list that a server has.
///
/// ```swift
/// let page = SyncPage(answer.issues.map(\.remote), position: answer.next, hasMore: answer.next != nil)
/// ```
///
/// A page is applied in one transaction, together with its position.
public struct SyncPage: Sendable {
  /// The objects that the page has.
  public var objects: [RemoteObject]
  /// The objects that the server says are deleted.
  public var deleted: [RemoteKey]
  /// Where the next page begins, or nil for the beginning of the list. The next ``SyncRemote/pull(_:after:)`` receives
  /// it, in this run of the program or in a later one.
  public var position: String?
  /// Whether the next page is there now. It then has another position than this one.
  public var hasMore: Bool
  /// What the page lists completely. Objects that it covers and does not list are deleted here. If nothing is covered,
  /// nothing is deleted.
  public var covers: [SyncCoverage]
  /// What all pages of a reading list together, from the first one, whose position is nil, to the last one. Each page
  /// of the reading says the same. Pages that move while they are read may leave out an object, so that one is deleted
  /// here only if two readings one after the other do not have it, or if it cannot be fetched. Objects with changes
  /// stay until these are sent.
  public var together: [SyncCoverage]

  /// Creates a page.
  public init(
    _ objects: [RemoteObject], deleted: [RemoteKey] = [], position: String? = nil, hasMore: Bool = false,
    covers: [SyncCoverage] = [], together: [SyncCoverage] = []
  ) {
    self.objects = objects
    self.deleted = deleted
    self.position = position
    self.hasMore = hasMore
    self.covers = covers
    self.together = together
  }
}

/// The objects of a class that a page lists completely.
public struct SyncCoverage: Sendable {
  let type: ManagedObject.Type
  var owner: (path: any AnyKeyPath & Sendable, key: SyncKey)?
  var first: SyncKey?
  var last: SyncKey?

  /// All objects of a class: the page is the whole list.
  public static func all(_ type: ManagedObject.Type) -> SyncCoverage { SyncCoverage(type: type) }

  /// The objects of a class that belong to one object, such as the comments of an issue. One that has moved to another
  /// owner is deleted here until its new list is read, unless ``RemoteCapabilities/fetchesRows`` is true.
  public static func all<Object: ManagedObject, Target: ManagedObject>(
    _ type: Object.Type, where owner: any KeyPath<Object, Target?> & Sendable, is key: SyncKey
  ) -> SyncCoverage {
    SyncCoverage(type: type, owner: (owner, key))
  }

  /// The objects of a class whose keys are in a range, both ends included. The pages of a list that is ordered by its
  /// keys cover such ranges: the first one has no beginning, and the last one no end.
  public static func keys(_ type: ManagedObject.Type, from first: SyncKey?, to last: SyncKey?) -> SyncCoverage {
    SyncCoverage(type: type, first: first, last: last)
  }
}
