internal import Foundation

/// Syncs to disk what the operating system has buffered.
///
/// If a process is killed, nothing that the system has buffered is lost, so none of this is needed in that case. A
/// power failure can undo whatever is not on disk yet, in any order. These rules keep the journal correct after a power
/// failure:
///
/// - The bytes of a part are synced before the journal counts them.
/// - A file that replaces another one, or was not received in one piece, is synced before it is moved.
/// - Any other file is moved without a sync, and its checksum is stored in the journal. The next session compares boot
///   identifiers to detect a possible power failure, checks the files whose events have not been acknowledged, and
///   downloads again those that fail the check. Once a file and its name are synced, its checksum is dropped.
/// - An event is final once it is acknowledged, because the file then belongs to the caller. A caller that must not
///   lose a file uses ``DownloadSession/Durability/beforeEvent``: the transfer then syncs the file and its name, and
///   the event waits for the journal.
///
/// One sync covers everything that arrived while the previous sync ran.
extension DownloadCore {
  /// Schedules a sync: immediately if an event waits for it, otherwise within one sync period.
  func scheduleFlush(_ state: inout State, _ effects: inout Effects) {
    let isUrgent = !state.pendingSync.events.isEmpty && !state.hasSyncFailed
    if let flushTask = state.flushTask {
      guard isUrgent, state.isFlushDelayed else { return }
      state.isFlushDelayed = false
      return effects.add { flushTask.cancel() }
    }
    guard !state.isStopped, state.journal.isDirty || !state.pendingSync.isEmpty else { return }
    state.isFlushDelayed = !isUrgent
    let delay = isUrgent ? nil : configuration.syncPeriod
    state.flushTask = Task(executorPreference: executor) {
      if let delay {
        do {
          try await self.time.sleep(delay)
        } catch {
          // Cancelled because the sync is now urgent.
        }
      }
      self.flush()
    }
  }

  /// Syncs files first, then their names, then the journal that refers to them.
  func flush() {
    let work = update { state, _ in
      defer { state.pendingSync = PendingSync() }
      state.isFlushDelayed = false
      return state.pendingSync
    }
    let files = work.files.filter { file in
      succeeds { () throws(DownloadError) in try DiskFolder.syncFile(file.path, inode: file.inode) }
    }
    let folders = work.folders.filter { folder in
      succeeds { () throws(DownloadError) in try syncNames(in: folder) }
    }
    let sync = update { state, effects -> Journal.Sync? in
      if folders.count == work.folders.count {
        _ = perform(state.downloads.synced(files.map(\.download)), &state, &effects)
      }
      do throws(DownloadError) {
        return try state.journal.beginSync(state.downloads.state)
      } catch {
        state.hasSyncFailed = true
        return nil
      }
    }
    var synced: DiskFile?
    if let sync { succeeds { () throws(DownloadError) in synced = try sync.perform() } }
    let folder = update { state, _ -> String? in
      guard let sync else { return nil }
      do throws(DownloadError) {
        let folder = try state.journal.end(sync, of: synced)
        state.hasSyncFailed = synced == nil
        return folder
      } catch {
        state.hasSyncFailed = true
        return nil
      }
    }
    if let folder { succeeds { () throws(DownloadError) in try syncNames(in: folder) } }
    update { state, effects in
      for event in work.events { offer(event, &state, &effects) }
      state.flushTask = nil
    }
  }

  /// The state of files that a killed process had moved into place without reporting them.
  struct Moves {
    /// Downloads that are over.
    var finished: Set<ID> = []
    /// The subset of them whose file is on disk.
    var synced: [ID] = []
    /// What could not be synced for the others.
    var pendingSync = PendingSync()
  }

  /// Syncs such files. The journal will then record them as finished, and the part of a file on another volume is
  /// removed.
  ///
  /// If the disk reports an error and the part still exists, the file is moved again. Without a part, the file in place
  /// is the only copy. As after any other move, its checksum stays in the journal, unless its event promises more than
  /// that.
  func sync(moved records: [DownloadRecord]) -> Moves {
    var moves = Moves()
    for record in records {
      guard case .moving(let placement) = record.phase else { continue }
      let path = files.path(stored: record.destination)
      let folder = (path as NSString).deletingLastPathComponent
      let isSynced = succeeds { () throws(DownloadError) in
        if placement.checksum != nil { try DiskFolder.syncFile(path, inode: placement.inode) }
        try syncNames(in: folder)
      }
      if isSynced {
        moves.synced.append(record.id)
      } else if configuration.durability == .beforeEvent || DiskFolder.exists(files.part(record.part)) {
        continue
      } else {
        moves.pendingSync.folders.insert(folder)
        if placement.checksum != nil {
          moves.pendingSync.files.append(PendingSync.File(download: record.id, path: path, inode: placement.inode))
        }
      }
      moves.finished.insert(record.id)
    }
    return moves
  }

  /// Syncs the names in a folder into which files or the journal are moved.
  func syncNames(in folder: String) throws(DownloadError) {
    configuration.atPoint?(.beforeNameSync)
    try DiskFolder.sync(folder)
  }

  /// A failure here leaves an older but consistent state on disk, which the next session checks.
  @discardableResult
  private func succeeds(_ body: () throws(DownloadError) -> Void) -> Bool {
    do throws(DownloadError) {
      try body()
      return true
    } catch {
      return false
    }
  }
}

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
