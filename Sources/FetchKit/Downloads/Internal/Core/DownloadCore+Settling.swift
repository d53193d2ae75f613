internal import Foundation

/// Bringing to the disk what the system has.
///
/// A killed process loses nothing that the system has, so nothing of this is for its sake. A power cut may undo what is
/// not on the disk yet, in any order. What keeps the journal true then:
///
/// - The bytes of a part are synced before the journal counts them.
/// - A file that replaces another, or did not come in one piece, is synced before it is moved.
/// - Any other is moved unsynced, its checksum in the journal. The next session sees by the name of the machine's start
///   that the power may have been cut, looks at the files whose end nobody has acknowledged, and fetches again what
///   does not hold. Once a file and its name are synced, the checksum is dropped.
/// - What an event says is final when it has been acknowledged: by then the file is the caller's. Who must not lose it
///   asks for ``DownloadSession/Durability/beforeEvent``: then the transfer syncs file and name, and the event waits
///   for the journal.
///
/// One sync takes up all that came while the one before ran.
extension DownloadCore {
  /// Sees to it that what happened comes to the disk: at once where somebody waits for it, else within a period.
  func scheduleSettling(_ state: inout State, _ effects: inout Effects) {
    let isUrgent = !state.unsettled.events.isEmpty && !state.hasDiskRefused
    if let settling = state.settling {
      guard isUrgent, state.isSettlingLater else { return }
      state.isSettlingLater = false
      return effects.add { settling.cancel() }
    }
    guard !state.isClosed, state.journal.isDirty || !state.unsettled.isEmpty else { return }
    state.isSettlingLater = !isUrgent
    let delay = isUrgent ? nil : configuration.syncPeriod
    state.settling = Task(executorPreference: executor) {
      if let delay {
        do {
          try await self.time.sleep(delay)
        } catch {
          // Cancelled: it is wanted now.
        }
      }
      self.settle()
    }
  }

  /// Files first, then their names, then the journal that speaks of them.
  func settle() {
    let work = update { state, _ in
      defer { state.unsettled = Unsettled() }
      state.isSettlingLater = false
      return state.unsettled
    }
    let files = work.files.filter { file in
      succeeds { () throws(DownloadFailure) in try DiskFolder.syncFile(file.path, inode: file.inode) }
    }
    let folders = work.folders.filter { folder in
      succeeds { () throws(DownloadFailure) in try syncNames(in: folder) }
    }
    let sync = update { state, effects -> Journal.Sync? in
      if folders.count == work.folders.count {
        _ = perform(state.board.settled(files.map(\.download)), &state, &effects)
      }
      do throws(DownloadFailure) {
        return try state.journal.beginSync(state.board.state)
      } catch {
        state.hasDiskRefused = true
        return nil
      }
    }
    var synced: DiskFile?
    if let sync { succeeds { () throws(DownloadFailure) in synced = try sync.perform() } }
    let folder = update { state, _ -> String? in
      guard let sync else { return nil }
      do throws(DownloadFailure) {
        let folder = try state.journal.end(sync, of: synced)
        state.hasDiskRefused = synced == nil
        return folder
      } catch {
        state.hasDiskRefused = true
        return nil
      }
    }
    if let folder { succeeds { () throws(DownloadFailure) in try syncNames(in: folder) } }
    update { state, effects in
      for event in work.events { offer(event, &state, &effects) }
      state.settling = nil
    }
  }

  /// What became of the files that a killed process had moved into place and told nobody of.
  struct Moves {
    /// Downloads that are over.
    var finished: Set<ID> = []
    /// Those of them whose file is on the disk.
    var settled: [ID] = []
    /// What the disk refused of the others.
    var unsettled = Unsettled()
  }

  /// Brings such files to the disk. The journal will say that they are there, and the part of a file on another volume
  /// goes with that.
  ///
  /// Where the disk refuses, a part that is still there is moved once more. Without one the file in place is all there
  /// is: as after any other move its checksum stays in the journal, unless its event promises more than that.
  func settle(moved records: [DownloadRecord]) -> Moves {
    var moves = Moves()
    for record in records {
      guard case .moving(let placement) = record.phase else { continue }
      let path = files.path(stored: record.destination)
      let folder = (path as NSString).deletingLastPathComponent
      let isSettled = succeeds { () throws(DownloadFailure) in
        if placement.checksum != nil { try DiskFolder.syncFile(path, inode: placement.inode) }
        try syncNames(in: folder)
      }
      if isSettled {
        moves.settled.append(record.id)
      } else if configuration.durability == .beforeEvent || DiskFolder.exists(files.part(record.part)) {
        continue
      } else {
        moves.unsettled.folders.insert(folder)
        if placement.checksum != nil {
          moves.unsettled.files.append(Unsettled.File(download: record.id, path: path, inode: placement.inode))
        }
      }
      moves.finished.insert(record.id)
    }
    return moves
  }

  /// Returns when the names in a folder that files, or the journal, are moved into are on the disk.
  func syncNames(in folder: String) throws(DownloadFailure) {
    configuration.atPoint?(.beforeNameSync)
    try DiskFolder.sync(folder)
  }

  /// What fails here leaves the disk as it was, which is true, if older: the next session looks for itself.
  @discardableResult
  private func succeeds(_ body: () throws(DownloadFailure) -> Void) -> Bool {
    do throws(DownloadFailure) {
      try body()
      return true
    } catch {
      return false
    }
  }
}
