/// What the system has buffered but may not be on disk yet. It accumulates while the previous sync runs, so that one
/// sync covers many changes.
struct PendingSync {
  /// A file in place whose bytes may not be on disk.
  struct File {
    var download: UInt64
    var path: String
    var inode: UInt64
  }

  var files: [File] = []
  var folders: Set<String> = []
  /// Events to deliver once the journal is on disk.
  var events: [EventRecord] = []

  var isEmpty: Bool { files.isEmpty && folders.isEmpty && events.isEmpty }
}
