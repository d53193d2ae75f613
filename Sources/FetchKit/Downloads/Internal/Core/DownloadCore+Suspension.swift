/// Stops work temporarily and releases the session's files to other processes.
extension DownloadCore {
  static func checkRunning(_ state: State) throws(DownloadSessionError) {
    if state.isClosed { throw .closed }
    if state.isSuspended { throw .suspended }
  }

  /// Stops all work, syncs the bytes received so far, and releases the lock.
  func suspend() async {
    let transition = update { state, _ in
      let transition = Task(executorPreference: executor) { [last = state.lastTransition] in
        await last?.value
        await self.suspendNow()
      }
      state.lastTransition = transition
      return transition
    }
    // The suspension waits for the transfer, and the transfer waits for the provider that made this call.
    if Self.providerSession == ObjectIdentifier(self) { return }
    await transition.value
  }

  private func suspendNow() async {
    let tasks = update { state, _ -> [Task<Void, Never>]? in
      guard !state.isStopped else { return nil }
      state.isSuspended = true
      return state.work
    }
    if let tasks { await releaseFiles(ending: tasks) }
  }

  /// Ends the session's tasks, syncs to disk what they have written, and releases the lock.
  func releaseFiles(ending tasks: [Task<Void, Never>]) async {
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    flush()
    let lock = update { state, _ in
      state.waits = [:]
      defer { state.lock = nil }
      return state.lock
    }
    lock?.release()
  }

  /// Acquires the lock again, reads the journal, which another process may have changed, and continues its downloads.
  func resume() async throws(DownloadSessionError) {
    if Self.providerSession == ObjectIdentifier(self) {
      return try update { (state, _) throws(DownloadSessionError) in try Self.checkRunning(state) }
    }
    let transition = update { state, _ in
      let transition = Task(executorPreference: executor) { [last = state.lastTransition] in
        await last?.value
        return Result { () throws(DownloadSessionError) in try self.resumeNow() }
      }
      state.lastTransition = Task { _ = await transition.value }
      return transition
    }
    try await transition.value.get()
  }

  private func resumeNow() throws(DownloadSessionError) {
    let isSuspended = try update { (state, _) throws(DownloadSessionError) in
      if state.isClosed { throw .closed }
      return state.isSuspended
    }
    guard isSuspended else { return }
    try Self.makeFolders(files, configuration)
    let opening = try Opening(files, configuration)
    let moves = sync(moved: opening.moved)
    let isClosed = update { state, effects in
      // Closing does not wait for this call if it began later. The lock then ends with the opening.
      if state.isClosed { return true }
      let old = state.downloads
      let isSame = state.journalName == opening.journalName
      state.downloads = opening.makeStateMachine(configuration)
      state.downloads.adopt(old, isSame: isSame)
      state.isSuspended = false
      continueWork(of: opening, moves, &state, &effects)
      if isSame {
        let actions = state.acknowledged.flatMap { state.downloads.acknowledge($0) }
        _ = perform(actions, &state, &effects)
      }
      state.acknowledged = []
      reportEnds(since: old, isSame: isSame, &state, &effects)
      return false
    }
    if isClosed { throw .closed }
  }

  /// Ends the waits for downloads that ended, or were removed, while the session was suspended.
  private func reportEnds(
    since old: DownloadStateMachine, isSame: Bool, _ state: inout State, _ effects: inout Effects
  ) {
    for record in old.records {
      let result: Result<EventRecord.Outcome, DownloadSessionError>
      if isSame, let now = state.downloads.state.records[record.id] {
        guard let outcome = outcome(of: now, state) else { continue }
        result = .success(outcome)
      } else {
        result = .failure(.unknownDownload(name: record.name))
      }
      endWaits(for: record.id, with: result, &state, &effects)
    }
  }
}
