/// Delivers events to listeners.
extension DownloadCore {
  /// The next event that has not been delivered; nil when the task is cancelled or the session is closed.
  ///
  /// - Parameter endsWhenIdle: Whether the result is also nil when no event is to be expected.
  func nextEvent(endsWhenIdle: Bool) async -> DownloadEvent? {
    let (number, ready) = update { state, _ -> (Int, DownloadEvent?) in
      guard !state.isClosed, !Task.isCancelled else { return (0, nil) }
      return (state.takeWaiterNumber(), state.downloads.takeEvent().map { event($0) })
    }
    guard number > 0, ready == nil else { return ready }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        update { state, effects in
          // The cancelled flag is set before the handler runs: if it is not visible here, the handler finds the waiter.
          if state.isClosed || Task.isCancelled { return effects.add { waiter.resume(returning: nil) } }
          state.eventWaiters.append((number, endsWhenIdle, waiter))
        }
      }
    } onCancel: {
      withdraw(eventWaiter: number)
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
    let (watchers, waiters) = (hub.end(event.download), state.resultWaiters.removeValue(forKey: event.download) ?? [])
    effects.add {
      for watcher in watchers { watcher.finish() }
      for (_, waiter) in waiters { waiter.resume(returning: .success(event.outcome)) }
    }
  }

  /// Passes events to waiting readers, or ends their waits if none will come, and calls the idle handlers when all work
  /// is done.
  func deliverEvents(_ state: inout State, _ effects: inout Effects) {
    while !state.eventWaiters.isEmpty, let record = state.downloads.takeEvent() {
      let (waiter, event) = (state.eventWaiters.removeFirst().waiter, self.event(record))
      effects.add { waiter.resume(returning: event) }
    }
    if state.eventWaiters.contains(where: \.endsWhenIdle), state.expectsNoEvent {
      for waiter in state.eventWaiters where waiter.endsWhenIdle {
        effects.add { waiter.waiter.resume(returning: nil) }
      }
      state.eventWaiters.removeAll(where: \.endsWhenIdle)
    }
    guard !state.handlers.isEmpty, state.downloads.isIdle else { return }
    let handlers = state.handlers
    state.handlers = []
    for handler in handlers { effects.add { Task { await handler() } } }
  }

  func withdraw(resultWaiter number: Int) {
    update { state, effects in
      for (id, waiters) in state.resultWaiters {
        guard let index = waiters.firstIndex(where: { $0.number == number }) else { continue }
        let waiter = waiters[index].waiter
        state.resultWaiters[id]?.remove(at: index)
        return effects.add { waiter.resume(returning: .failure(.cancelled)) }
      }
    }
  }

  private func withdraw(eventWaiter number: Int) {
    update { state, effects in
      guard let index = state.eventWaiters.firstIndex(where: { $0.number == number }) else { return }
      let waiter = state.eventWaiters.remove(at: index).waiter
      effects.add { waiter.resume(returning: nil) }
    }
  }

  private func acknowledge(_ number: UInt64) {
    change { state in
      if state.isReleased { return [] }
      guard state.isSuspended else { return state.downloads.acknowledge(number) }
      state.acknowledged.append(number)
      return []
    }
  }

  private func event(_ event: EventRecord) -> DownloadEvent {
    let result: Result<DownloadedFile, DownloadError> =
      switch event.outcome {
      case .failed(let failure): .failure(failure)
      case .finished(let path, let length, let metadata):
        .success(DownloadedFile(files.url(stored: path), length, metadata))
      }
    return DownloadEvent(
      name: event.name, result: result, number: event.number,
      token: DownloadEvent.Token(opening: event.opening, number: event.number)
    ) { [weak self] in self?.acknowledge(event.number) }
  }
}
