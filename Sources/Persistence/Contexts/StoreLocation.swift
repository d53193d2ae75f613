public import Foundation

/// Where a store is kept.
public enum StoreLocation: Sendable, Hashable {
  /// A SQLite file. Its folder must exist; the file and its log are made readable and writable for their owner alone
  /// (0600).
  case file(URL)
  /// Memory of this process, shared by the container's contexts and gone with the container.
  case inMemory
}
