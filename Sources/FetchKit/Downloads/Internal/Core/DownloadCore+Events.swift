/// Delivers events to listeners.
extension DownloadCore {
  /// The next event that has not been delivered; nil when the task is cancelled or the session is closed.
  ///
  /// - Parameter endsWhenIdle: Whether the result is also nil when no event is to be expected.
  func nextEvent(endsWhenIdle: Bool) async -> DownloadEvent? {
    let waiter = EventWaiter()
    update { state, effects in
      // The cancelled flag is set before the handler runs: if it is not visible here, the handler finds the waiter.
      if state.isClosed || Task.isCancelled { return effects.add { waiter.set(nil) } }
      state.eventWaiters.append((waiter, endsWhenIdle))
    }
    return await withTaskCancellationHandler {
      await waiter.take()
    } onCancel: {
      update { state, effects in
        guard let index = state.eventWaiters.firstIndex(where: { $0.waiter === waiter }) else { return }
        state.eventWaiters.remove(at: index)
        effects.add { waiter.set(nil) }
      }
    }
  }

  /// Returns an event that could not be delivered.
  func putBack(_ event: DownloadEvent) {
    update { state, _ in state.downloads.offer(event.number) }
  }

  /// Calls the handler once when all work is done.
  func whenIdle(_ handler: @escaping @Sendable () async -> Void) {
    update { state, _ in
      if !state.isReleased { state.handlers.append(handler) }
    }
  }

  /// Delivers an event. With `Durability.beforeEvent`, the event of a finished download first waits for the disk.
  func deliver(_ event: EventRecord, _ state: inout State, _ effects: inout Effects) {
    if configuration.durability == .beforeEvent, case .finished = event.outcome {
      state.heldEvents.insert(event.number)
      state.pendingSync.events.append(event)
    } else {
      offer(event, &state, &effects)
    }
  }

  func offer(_ event: EventRecord, _ state: inout State, _ effects: inout Effects) {
    configuration.atPoint?(.beforeEvent)
    state.heldEvents.remove(event.number)
    state.downloads.offer(event.number)
    endWaits(for: event.download, with: .success(event.outcome), &state, &effects)
  }

  /// Ends the waits for a download, and the streams of its progress.
  func endWaits(
    for id: ID, with result: Result<EventRecord.Outcome, DownloadSessionError>, _ state: inout State,
    _ effects: inout Effects
  ) {
    let (watchers, waiters) = (hub.end(id), state.resultWaiters.removeValue(forKey: id) ?? [])
    effects.add {
      for watcher in watchers { watcher.finish() }
      for waiter in waiters { waiter.set(result) }
    }
  }

  /// Passes events to waiting readers, or ends their waits if none will come, and calls the idle handlers when all work
  /// is done.
  func deliverEvents(_ state: inout State, _ effects: inout Effects) {
    while !state.eventWaiters.isEmpty, let record = state.downloads.takeEvent() {
      let (waiter, event) = (state.eventWaiters.removeFirst().waiter, self.event(record))
      effects.add { waiter.set(event) }
    }
    if state.eventWaiters.contains(where: \.endsWhenIdle), state.expectsNoEvent {
      for waiter in state.eventWaiters where waiter.endsWhenIdle {
        effects.add { waiter.waiter.set(nil) }
      }
      state.eventWaiters.removeAll(where: \.endsWhenIdle)
    }
    guard !state.handlers.isEmpty, state.downloads.isIdle else { return }
    let handlers = state.handlers
    state.handlers = []
    for handler in handlers { effects.add { Task { await handler() } } }
  }

  private func acknowledge(_ number: UInt64) {
    change { state in
      if state.isReleased { return [] }
      guard state.isSuspended else { return state.downloads.acknowledge(number) }
      state.acknowledged.append(number)
      return []
    }
  }

  func result(of outcome: EventRecord.Outcome) -> Result<DownloadedFile, DownloadError> {
    switch outcome {
    case .failed(let failure): .failure(failure)
    case .finished(let path, let length, let metadata):
      .success(DownloadedFile(files.url(stored: path), length, metadata))
    }
  }

  private func event(_ event: EventRecord) -> DownloadEvent {
    return DownloadEvent(
      name: event.name, result: result(of: event.outcome), number: event.number,
      token: DownloadEvent.Token(opening: event.opening, number: event.number)
    ) { [weak self] in self?.acknowledge(event.number) }
  }
}
