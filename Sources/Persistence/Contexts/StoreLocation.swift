public import Foundation

/// The location of a store.
public enum StoreLocation: Sendable, Hashable {
  /// A SQLite file. Its folder must exist. The file and its log are created with permissions for their owner only
  /// (0600).
  case file(URL)
  /// The memory of this process. The store is shared by the container's contexts and is discarded with the container.
  case inMemory
}
