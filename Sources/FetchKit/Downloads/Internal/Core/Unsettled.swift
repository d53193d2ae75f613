/// What the system has and the disk may not: collected while the sync before runs, so that one serves many.
struct Unsettled {
  /// A file in place whose bytes may not be on the disk.
  struct File {
    var download: UInt64
    var path: String
    var inode: UInt64
  }

  var files: [File] = []
  var folders: Set<String> = []
  /// What is told once the journal is on the disk.
  var events: [EventRecord] = []

  var isEmpty: Bool { files.isEmpty && folders.isEmpty && events.isEmpty }
}
