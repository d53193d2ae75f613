/// What transfers request and report, each on a thread of the session's executor.
extension DownloadCore {
  func startOver(_ id: ID, part: UInt64) -> UInt64? {
    update { state, effects in
      let (number, actions) = state.downloads.startOver(id, part: part)
      _ = perform(actions, &state, &effects)
      return number
    }
  }

  /// Announces a move. Returns whether it is still wanted. When this returns, the journal contains the move.
  func willMove(
    _ id: ID, part: UInt64, inode: UInt64, length: Int64, checksum: UInt32?, metadata: FileMetadata
  ) throws(DownloadError) -> Bool {
    try update { (state, effects) throws(DownloadError) in
      let (isWanted, actions) = state.downloads.willMove(
        id, part: part, inode: inode, length: length, checksum: checksum, metadata: metadata)
      if let failure = perform(actions, &state, &effects) { throw failure }
      return isWanted
    }
  }

  /// Records that a file was moved into the folder.
  ///
  /// - Parameter unsynced: The file, unless its bytes are already on disk.
  func didMove(_ unsynced: PendingSync.File?, into folder: String) {
    update { state, _ in
      state.pendingSync.folders.insert(folder)
      if let unsynced { state.pendingSync.files.append(unsynced) }
    }
  }

  func begin(_ id: ID, _ state: inout State) {
    guard !state.isStopped, let record = state.downloads.state.records[id] else { return }
    state.transfers[id] = Task(executorPreference: executor) {
      var transfer = DownloadTransfer(record, self)
      let end = await transfer.perform()
      self.ended(id, part: transfer.partNumber, end)
    }
  }

  func wait(_ id: ID, _ delay: Duration, _ state: inout State) {
    state.waits[id] = time.after(delay) { self.waited(id) }
  }

  private func ended(_ id: ID, part: UInt64, _ end: TransferEnd) {
    let client = configuration.client
    let policy = client.configuration.retry
    let random = client.configuration.random()
    change { state in
      state.transfers[id] = nil
      hub.clear(id)
      let origin = state.downloads.state.records[id]?.request.url.origin ?? ""
      // The transfer may have written this part after it had been removed.
      let remains: [DownloadStateMachine.Action] = state.downloads.isCurrent(id, part: part) ? [] : [.removePart(part)]
      return remains
        + state.downloads.ended(id, end, random: random) {
          policy.budget.map { client.pipeline.budgets.takeRetry(to: origin, $0, now: time.now()) } ?? true
        }
    }
  }

  private func waited(_ id: ID) {
    change { state in
      state.waits[id] = nil
      return state.isStopped ? [] : state.downloads.waited(id)
    }
  }
}
