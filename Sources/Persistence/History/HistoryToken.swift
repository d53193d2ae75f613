/// A place in the history of a store.
///
/// It can be kept beside what was made of the store's contents, also beyond the end of the process, to ask later for
/// what has changed since. It is good for that one store and its copies, up to the commit at which they were parted.
public struct HistoryToken: Sendable, Hashable, Codable {
  /// The place, and what tells this commit from one of the same place in another store.
  let number: Int64
  let tag: Int64
}
