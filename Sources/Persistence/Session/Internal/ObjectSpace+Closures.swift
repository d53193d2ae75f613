internal import Foundation

extension ObjectSpace {
  /// Runs the closure, then saves the changes. If either throws, restores the objects to their previous state.
  func persist<Result>(_ body: (ObjectSpace) throws -> Result) throws(PersistenceError) -> Result {
    guard unit.phase == .idle else { throw .nested }
    try admit()
    enter(.persisting)
    defer { leave() }
    let mark = takeMark()
    do {
      let result = try body(self)
      try throwFailure()
      try SaveSteps(of: self).run()
      return result
    } catch {
      let cause = error as? PersistenceError ?? .body(error)
      if case .indeterminate = cause { reloadAll() } else { rollBack(to: unit.hasGivenUp ? noChanges : mark) }
      throw cause
    }
  }

  /// Runs the closure, returns what saving would commit, and restores the objects to their previous state.
  func preview(_ body: (ObjectSpace) throws -> Void) throws(PersistenceError) -> ChangeSet {
    guard unit.phase == .idle else { throw .nested }
    try admit()
    enter(.persisting)
    unit.interest = [.rows, .orders]
    defer { leave() }
    let mark = takeMark()
    defer { rollBack(to: unit.hasGivenUp ? noChanges : mark) }
    do {
      try body(self)
      try throwFailure()
      return try SaveSteps(of: self).prepare() ?? ChangeSet(schema)
    } catch {
      throw error as? PersistenceError ?? .body(error)
    }
  }

  /// Runs the closure in a single read transaction. Its changes stay pending.
  func perform<Result>(_ body: (ObjectSpace) throws -> Result) throws(PersistenceError) -> Result {
    guard unit.phase == .idle else {
      // Inside another closure of the context, use that closure's transaction.
      do { return try body(self) } catch { throw error as? PersistenceError ?? .body(error) }
    }
    try admit()
    enter(.performing)
    defer { leave() }
    do {
      let result = try body(self)
      endTransaction()
      try throwFailure()
      return result
    } catch {
      endTransaction()
      throw error as? PersistenceError ?? .body(error)
    }
  }

  /// Runs an operation that may be called outside any closure, such as the calls of a main-actor context.
  func reading<Result>(_ body: () throws(PersistenceError) -> Result) throws(PersistenceError) -> Result {
    guard isIsolated else { throw .wrongContext }
    guard unit.phase == .idle else { return try body() }
    if let failure = unit.readFailure {
      unit.readFailure = nil
      throw failure
    }
    try admit()
    unit.phase = .performing
    defer {
      endTransaction()
      unit.phase = .idle
      observed?.notify()
    }
    return try body()
  }

  /// Called before a closure or a read begins. Those that have begun may finish when the store is suspended.
  private func admit() throws(PersistenceError) {
    try PersistenceError.checkRunning(store.suspension)
    try reconnect()
  }

  private func enter(_ phase: UnitOfWork.Phase) {
    unit.phase = phase
    unit.hasGivenUp = false
    answers.removeAll()
    unit.outer = becomeRunning()
    isolation.pointee.thread = pthread_self()
    if !isolation.pointee.isMain { unit.failure = nil }
  }

  private func leave() {
    unit.phase = .idle
    unit.interest = []
    unit.failure = nil
    unit.readFailure = nil
    faults.removeAll()
    answers.removeAll()
    isolation.pointee.thread = nil
    stopRunning(unit.outer)
    if !isolation.pointee.isMain {
      unloadAllRelationships()
      together.removeAll()
    }
    observed?.notify()
  }
}
