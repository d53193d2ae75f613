/// Stops work for a while, and releases the session's files to other processes.
extension DownloadCore {
  static func checkRunning(_ state: State) throws(DownloadSessionError) {
    if state.isClosed { throw .closed }
    if state.isSuspended { throw .suspended }
  }

  /// Stops all work, syncs the bytes received so far, and releases the lock.
  func suspend() async {
    let turn = update { state, _ in
      let turn = Task(executorPreference: executor) { [last = state.lastTurn] in
        await last?.value
        await self.suspendNow()
      }
      state.lastTurn = turn
      return turn
    }
    // The suspension waits for the transfer, and the transfer waits for the provider that made this call.
    if Self.askingProvider == ObjectIdentifier(self) { return }
    await turn.value
  }

  private func suspendNow() async {
    let tasks = update { state, _ -> [Task<Void, Never>]? in
      guard !state.isAtRest else { return nil }
      state.isSuspended = true
      return state.work
    }
    if let tasks { await rest(ending: tasks) }
  }

  /// Ends the session's tasks, brings to disk what they have written, and releases the lock.
  func rest(ending tasks: [Task<Void, Never>]) async {
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    settle()
    let lock = update { state, _ in
      state.waits = [:]
      defer { state.lock = nil }
      return state.lock
    }
    lock?.release()
  }

  /// Takes the lock again, reads the journal, which another process may have changed, and continues its downloads.
  func resume() async throws(DownloadSessionError) {
    if Self.askingProvider == ObjectIdentifier(self) {
      return try update { (state, _) throws(DownloadSessionError) in try Self.checkRunning(state) }
    }
    let turn = update { state, _ in
      let turn = Task(executorPreference: executor) { [last = state.lastTurn] in
        await last?.value
        return Result { () throws(DownloadSessionError) in try self.resumeNow() }
      }
      state.lastTurn = Task { _ = await turn.value }
      return turn
    }
    try await turn.value.get()
  }

  private func resumeNow() throws(DownloadSessionError) {
    let isSuspended = try update { (state, _) throws(DownloadSessionError) in
      if state.isClosed { throw .closed }
      return state.isSuspended
    }
    guard isSuspended else { return }
    try Self.makeFolders(files, configuration)
    let opening = try Opening(files, configuration)
    let moves = settle(moved: opening.moved)
    let isClosed = update { state, effects in
      // Closing does not wait for this call if it began later. The lock then ends with the opening.
      if state.isClosed { return true }
      let old = state.board
      let isSame = state.journalName == opening.journalName
      state.board = opening.makeBoard(configuration)
      state.board.adopt(old, isSame: isSame)
      state.isSuspended = false
      go(on: opening, moves, &state, &effects)
      if isSame {
        let actions = state.acknowledged.flatMap { state.board.acknowledge($0) }
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
      switch isSame ? state.board.state.records[record.id] : nil {
      case nil: result = .failure(.unknownDownload(name: record.name))
      case let now?:
        switch now.phase {
        case .finished(let placement) where !state.held.contains(placement.event):
          result = .success(EventRecord(now, placement).outcome)
        case .failed(let failure): result = .success(.failed(failure))
        case .finished, .active, .paused, .moving: continue
        }
      }
      let (watchers, waiters) = (hub.end(record.id), state.resultWaiters.removeValue(forKey: record.id) ?? [])
      effects.add {
        for watcher in watchers { watcher.finish() }
        for (_, waiter) in waiters { waiter.resume(returning: result) }
      }
    }
  }
}
