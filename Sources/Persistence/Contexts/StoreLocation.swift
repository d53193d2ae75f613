public import Foundation

/// The location of a store.
public enum StoreLocation: Sendable, Hashable {
  /// A SQLite file. Its folder must exist. The file and its log are created with permissions that allow access only by
  /// their owner (0600).
  case file(URL)
  /// The memory of this process. The container's contexts share the store, which is discarded with the container.
  case inMemory
}
