/// Decides what to ask of a server, and what its answers mean. It has no clock, no network and no store of its own: it
/// receives events and returns actions, and what has to survive the process is in the store.
///
///     changed ─► push ─► recorded … ─► ended        started: what was in flight is unknown, and is sent again
///     poll ────► pull ─► pulled ─► (pull …)
///                        owed ────► fetch ─► fetched
///     changed ─► perform ─► performed, in the order of each queue
///
/// One event is one transaction. If that fails, the machine from before the event is the one that is right: it is a
/// value, so its owner keeps it. Actions are carried out after the commit.
package struct SyncMachine: Hashable, Sendable {
  package let model: SyncModel
  package let capabilities: RemoteCapabilities
  package var policy = ConflictPolicy()
  package var scopes: [String]
  /// What a test has removed.
  package var removed: Set<SyncGuard> = [] { didSet { commands.removed = removed } }

  /// Counts requests and answers, to know which began first.
  var moment = 0
  /// The pulls and fetches in progress.
  var requests: [Int: Request] = [:]
  /// When the server last said something about a row in answer to a push. A page whose request began earlier may not
  /// contain it.
  var answers: [RemoteName: Int] = [:]
  /// The pushes in progress.
  var pushes: Set<Int64> = []
  /// Those of them during which a page was applied. It may have contained what they create, under a key that was not
  /// known here.
  var overlapped: Set<Int64> = []
  /// What did not fit into a request of a group that was ready, in order. Nothing that may hold it has happened since:
  /// to find all of a large group for each request would take too long.
  var rest: [RowID] = []
  /// The last commit that had tied rows by then.
  var restCommit: Int64 = 0
  var commands: CommandQueues
  var pace = Pace()
  var isPaused = false
  /// The scopes to pull as soon as possible.
  var wanted: Set<String> = []
  /// The scopes of which more pages follow, and those of them to read again from the beginning after the last one.
  var reading: Set<String> = []
  var again: Set<String> = []
  /// The scopes whose next page is the first one, because the one in progress is not.
  var restarts: Set<String> = []
  /// What the pages of a scope have listed since the first one.
  var listed: [String: Set<RemoteName>] = [:]
  /// The scopes in which most rows were absent. That is believed only after the app has said so.
  package var doubted: Set<String> = []
  var trusted: Set<String> = []

  struct Request: Hashable {
    enum Kind: Hashable {
      case pull(String)
      case fetch(Set<RemoteName>)
    }

    var kind: Kind
    var began: Int
  }

  package init(_ model: SyncModel, _ capabilities: RemoteCapabilities, scopes: [String]) {
    (self.model, self.capabilities, self.scopes) = (model, capabilities, scopes)
    commands = CommandQueues(isRecognized: capabilities.recognizesCommands)
  }

  /// - Parameter now: The time in milliseconds of a clock that never goes back. Its origin has no meaning.
  package mutating func handle(
    _ event: SyncEvent, at now: Int64, _ store: inout some SyncStore
  ) throws -> [SyncAction] {
    if !event.holdsNothing { rest = [] }
    switch event {
    case .started: wanted.formUnion(scopes)
    case .changed, .woke: break
    case .poll, .reconcile:
      isPaused = false
      pace.hurry()
      wanted.formUnion(scopes)
      // What is behind the page in progress may have changed.
      again.formUnion(scopes.filter { reading.contains($0) || isPulling($0) })
      if event == .reconcile { try restart(&store) }
    case .pulled(let request, let page): try pulled(request, page, &store)
    case .fetched(let request, let rows, let missing): try fetched(request, rows, missing, at: now, &store)
    case .failed(let request, let failure): failed(request, failure, at: now)
    case .unknownPosition(let request):
      if case .pull(let scope)? = requests[request]?.kind { try beginAgain(scope, &store) }
      failed(request, .unknown, at: now)
    case .recorded(let push, let outcomes): try record(outcomes, in: push, at: now, &store)
    case .found(let push, let sought, let rows): try found(rows, for: sought, in: push, &store)
    case .trusted(let scope):
      trusted.insert(scope)
      wanted.insert(scope)
    case .retry(let id): try retry(id, &store)
    case .discard(let id): try discard(id, &store)
    case .confirmed(let id, let row): try confirm(id, row, &store)
    case .performed(let command, let outcome):
      if outcome == .failed(.unauthorized) { isPaused = true }
      if try commands.performed(command, outcome, &pace, at: now, &store) { readEffects() }
    case .decided(let command, let isWanted):
      if try commands.decide(command, isWanted: isWanted, &store) { readEffects() }
    case .unsent(let push): try unsent(push, &store)
    case .ended(let push, let failure): try ended(push, failure, at: now, &store)
    }
    for entity in model.classes.indices where model.classes[entity].isUnique || event == .started {
      try insertArrived(in: entity, &store)
    }
    var actions = try startPulls(at: now, store)
    actions += try startFetches(at: now, store)
    actions += try startPushes(at: now, &store)
    if !isPaused, now >= pace.nextPush { actions += try commands.start(pace, at: now, &store) }
    if let next = pace.next(after: now) { actions.append(.wake(at: next)) }
    overlapped.formIntersection(pushes)
    if requests.isEmpty { (moment, answers) = (0, [:]) }
    return actions
  }

  /// Nothing says which rows a command has changed there.
  private mutating func readEffects() {
    wanted.formUnion(scopes)
    again.formUnion(reading)
  }

  mutating func begin(_ kind: Request.Kind) -> Int {
    moment += 1
    let number = (requests.keys.max() ?? 0) + 1
    requests[number] = Request(kind: kind, began: moment)
    return number
  }

  /// Notes that the server has answered about a row.
  mutating func noteAnswer(about row: SyncRow) {
    moment += 1
    if let key = row.key { answers[RemoteName(row.id.entity, key)] = moment }
  }

  /// Writes a row. Once it is gone, what it was changed with does not matter any more.
  func put(_ row: SyncRow, _ store: inout some SyncStore) throws {
    var row = row
    row.normalize()
    try makeKey(of: &row, &store)
    if !row.isChanged, row.sent == nil { try store.untie(row.id, upTo: .max) }
    try store.put(row)
  }

  /// Gives a row the key that the app has left to the engine.
  func makeKey(of row: inout SyncRow, _ store: inout some SyncStore) throws {
    guard row.key == nil, row.now != nil, model.classes[row.id.entity].settling.makesKeyHere else { return }
    row.key = try store.makeKey(in: row.id.entity)
  }

  private mutating func restart(_ store: inout some SyncStore) throws {
    for scope in scopes { try beginAgain(scope, &store) }
    restarts = Set(scopes.filter(isPulling))
  }

  private mutating func beginAgain(_ scope: String, _ store: inout some SyncStore) throws {
    try store.setPosition(nil, of: scope)
    reading.remove(scope)
    listed[scope] = nil
  }

  private mutating func failed(_ request: Int, _ failure: RemoteFailure, at now: Int64) {
    guard let request = requests.removeValue(forKey: request) else { return }
    if case .pull(let scope) = request.kind {
      wanted.insert(scope)
      restarts.remove(scope)
    }
    switch failure {
    case .unauthorized: isPaused = true
    case .later(let given): pace.delayReading(at: now, by: given)
    case .unknown: pace.delayReading(at: now, by: nil)
    }
  }
}
