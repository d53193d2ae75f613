/// Reading what the server has: pages of scopes, and rows by their keys.
extension SyncMachine {
  mutating func startPulls(at now: Int64, _ store: some SyncStore) throws -> [SyncAction] {
    guard !isPaused, now >= pace.nextRead else { return [] }
    var actions: [SyncAction] = []
    for scope in scopes where wanted.contains(scope) && !isPulling(scope) {
      wanted.remove(scope)
      // A row that has to be read again is only in a list that begins at the beginning.
      let isWhole =
        try !reading.contains(scope)
        && (trusted.contains(scope) || !capabilities.fetchesRows && !store.owed().isEmpty)
      let position = isWhole ? nil : try store.position(of: scope)
      actions.append(.pull(request: begin(.pull(scope)), scope: scope, after: position))
    }
    return actions
  }

  private func isPulling(_ scope: String) -> Bool { requests.values.contains { $0.kind == .pull(scope) } }

  mutating func startFetches(at now: Int64, _ store: some SyncStore) throws -> [SyncAction] {
    guard capabilities.fetchesRows, !isPaused, now >= pace.nextRead, now >= pace.nextFetch,
      !requests.values.contains(where: \.isFetch)
    else { return [] }
    var names: [RemoteName] = []
    for id in try store.owed() where names.count < Self.fetchLimit {
      guard let row = try store.row(id), row.sent == nil, let key = row.key else { continue }
      names.append(RemoteName(id.entity, key))
    }
    return names.isEmpty ? [] : [.fetch(request: begin(.fetch(Set(names))), names)]
  }

  /// A list with so few rows may become empty.
  private static let trustedAbsences = 20

  /// So many keys are short enough for a URL.
  private static let fetchLimit = 100

  mutating func pulled(_ number: Int, _ page: Page, _ store: inout some SyncStore) throws {
    guard let request = requests.removeValue(forKey: number), case .pull(let scope) = request.kind else { return }
    pace.succeedReading()
    if !page.covers.isEmpty, !reading.contains(scope) { doubted.remove(scope) }
    if page.hasMore { reading.insert(scope) }
    let isComplete = try apply(page, of: scope, since: request.began, &store)
    if isComplete { try store.setPosition(page.position, of: scope) }
    if page.hasMore || !isComplete { wanted.insert(scope) }
    guard isComplete, !page.hasMore else { return }
    reading.remove(scope)
    trusted.remove(scope)
    if again.remove(scope) != nil { wanted.insert(scope) }
  }

  mutating func fetched(
    _ number: Int, _ rows: [RemoteRow], _ missing: [RemoteName], at now: Int64, _ store: inout some SyncStore
  ) throws {
    guard let request = requests.removeValue(forKey: number), case .fetch(let names) = request.kind else { return }
    pace.succeedReading()
    _ = try apply(Page(rows, deleted: missing), of: nil, since: request.began, &store)
    // A server that answers with what it had before is not asked again at once.
    for name in names {
      guard let id = try store.find(name.key, in: name.entity), let row = try store.row(id) else { continue }
      if row.isOwed, row.sent == nil, !isAnswered(name, since: request.began) {
        return pace.delayFetching(at: now)
      }
    }
    pace.succeedFetching()
  }

  /// - Returns: Whether nothing of the page was left out for good.
  private mutating func apply(
    _ page: Page, of scope: String?, since began: Int, _ store: inout some SyncStore
  ) throws -> Bool {
    overlapped.formUnion(pushes)
    defer { noteAnswers(about: page) }
    try store.prefetch(page.rows.flatMap { [$0.name] + model.names(in: $0.fields, of: $0.name.entity) } + page.deleted)
    var isComplete = true
    for row in page.rows where try !apply(row, since: began, &store) { isComplete = false }
    for name in page.deleted { try remove(name, since: began, &store) }
    let covers =
      removed.contains(.absenceWithinCoverage) ? model.classes.indices.map { Coverage(of: $0) } : page.covers
    // A page that has to be asked for again may be older than what its position says.
    if !isComplete { return false }
    for coverage in covers { try removeAbsent(from: page, of: scope, coverage, since: began, &store) }
    return true
  }

  /// Requests that began before this page was applied, and are answered later, may have been made before it or after.
  private mutating func noteAnswers(about page: Page) {
    if requests.isEmpty { return }
    moment += 1
    for row in page.rows { answers[row.name] = moment }
    for name in page.deleted { answers[name] = moment }
  }

  /// Applies a row of the server, unless that may be older than what is known.
  ///
  /// - Returns: Whether the row is here, or was deleted for certain.
  private mutating func apply(_ remote: RemoteRow, since began: Int, _ store: inout some SyncStore) throws -> Bool {
    let name = remote.name
    guard let id = try store.find(name.key, in: name.entity), var row = try store.row(id) else {
      return try insert(remote, since: began, &store)
    }
    let isOld = remote.version?.isOlder(than: row.version)
    if isOld == true, row.base != .unknown, !removed.contains(.freshness) { return true }
    // What is in flight may have taken effect before the page was made, or after.
    if row.sent != nil || isOld == nil && isAnswered(name, since: began) {
      row.isOwed = true
      try owe(row, &store)
      // If the server does not take the creation, this is another row with the same key.
      if row.sent?.kind == .creation { try arrive(remote, &store) }
      return true
    }
    let reports = row.merge(try resolved(remote.fields, of: id.entity, store), policy)
    row.version = remote.version
    try put(row, &store)
    for report in reports { try store.report(report) }
    return true
  }

  private func isAnswered(_ name: RemoteName, since began: Int) -> Bool {
    !removed.contains(.freshness) && answers[name].map { $0 > began } ?? false
  }

  /// Writes a row that may have to be read again, at once if possible.
  mutating func owe(_ row: SyncRow, _ store: inout some SyncStore) throws {
    // While it is in flight, nothing that is read decides.
    if row.isOwed, row.sent == nil, !capabilities.fetchesRows {
      wanted.formUnion(scopes)
      again.formUnion(reading)
    }
    try put(row, &store)
  }

  private mutating func insert(
    _ remote: RemoteRow, since began: Int, _ store: inout some SyncStore
  ) throws -> Bool {
    let name = remote.name
    // It was deleted, and perhaps the page does not know that yet.
    if isAnswered(name, since: began) { return false }
    let isCreating = try !model.classes[name.entity].settling.makesKeyHere && !store.creations(in: name.entity).isEmpty
    if isCreating {
      // It may be one of those.
      try arrive(remote, &store)
    } else {
      try insertNow(remote, &store)
    }
    return true
  }

  /// Inserts a row, to which others may refer already.
  @discardableResult
  func insertNow(_ remote: RemoteRow, _ store: inout some SyncStore) throws -> SyncRow {
    let name = remote.name
    let fields = try resolved(remote.fields, of: name.entity, store)
    var row = try store.insert(fields, key: name.key, in: name.entity)
    if let version = remote.version {
      row.version = version
      try store.put(row)
    }
    try connect(row.id, name, &store)
    return row
  }

  /// Lets the rows that refer to a key refer to its row.
  func connect(_ id: RowID, _ name: RemoteName, _ store: inout some SyncStore) throws {
    guard try store.row(id)?.now != nil else { return }
    for (other, attribute) in try store.waiting(for: name.key, in: name.entity) {
      try replace(.key(name.key), by: .object(id.id), attribute, of: other, &store)
    }
  }

  /// Replaces how a reference is written, in all three values of a row.
  func replace(
    _ old: SyncValue, by new: SyncValue, _ attribute: Int, of id: RowID, _ store: inout some SyncStore
  ) throws {
    guard var row = try store.row(id) else { return }
    row.now?.replace(old, by: new, in: attribute)
    if case .known(var fields) = row.base {
      fields.replace(old, by: new, in: attribute)
      row.base = .known(fields)
    }
    row.sent?.fields.replace(old, by: new, in: attribute)
    if case .rejected(let reason, var fields?) = row.hold {
      fields.replace(old, by: new, in: attribute)
      row.hold = .rejected(reason: reason, fields)
    }
    try put(row, &store)
  }

  /// Values with references to the rows that are here.
  func resolved(_ fields: Fields, of entity: Int, _ store: some SyncStore) throws -> Fields {
    try model.mappingReferences(in: fields, of: entity) { target, reference in
      guard case .key(let key) = reference, let id = try store.find(key, in: target), try store.row(id)?.now != nil
      else { return reference }
      return .object(id.id)
    }
  }

  private mutating func remove(_ name: RemoteName, since began: Int, _ store: inout some SyncStore) throws {
    _ = try takeArrived(name, &store)
    guard let id = try store.find(name.key, in: name.entity), var row = try store.row(id) else { return }
    if row.sent != nil || isAnswered(name, since: began) {
      row.isOwed = true
      return try owe(row, &store)
    }
    try removeRow(row, &store)
    // Also if it was not in a list.
    if !requests.isEmpty { noteAnswer(about: row) }
  }

  /// Removes a row that the server does not have any more.
  func removeRow(_ row: SyncRow, _ store: inout some SyncStore) throws {
    var row = row
    let key = row.key
    for (other, _) in removed.contains(.noDeleteRules) ? try store.referrers(of: row.id) : [] {
      guard var child = try store.row(other), let now = child.now else { continue }
      if child.base == .same { child.base = .known(now) }
      child.now = nil
      try put(child, &store)
    }
    for report in row.mergeDeletion(policy) { try store.report(report) }
    // A key that the server assigned never returns.
    if !model.classes[row.id.entity].settling.makesKeyHere { row.key = nil }
    if row.now == nil || row.key != key { try disconnect(row.id, key, &store) }
    try put(row, &store)
  }

  /// Lets the rows that refer to a row that goes refer to its key.
  ///
  /// - Parameter isGone: Whether the server has said that it does not have the row any more, in answer to a push. It
  ///   leaves lists then, as it does there. What a page says may be older than the row.
  func disconnect(_ id: RowID, _ key: SyncKey?, isGone: Bool = false, _ store: inout some SyncStore) throws {
    let name = key.map { SyncValue.key($0) } ?? .null
    for (other, attribute) in try store.referrers(of: id) where other != id {
      try replace(.object(id.id), by: name, attribute, of: other, &store)
      if isGone, model.classes[other.entity].attributes[attribute].kind != .single {
        try replace(name, by: .null, attribute, of: other, &store)
      }
    }
  }

  private mutating func removeAbsent(
    from page: Page, of scope: String?, _ coverage: Coverage, since began: Int, _ store: inout some SyncStore
  ) throws {
    let listed = Set(page.rows.lazy.filter { $0.name.entity == coverage.entity }.map(\.name.key))
    let known = try store.rows(in: coverage)
    let absent = try known.compactMap { try store.row($0) }.filter { row in
      row.key.map { !listed.contains($0) } ?? false && (row.isThere || row.hold == .outdated)
    }
    // A server that fails may answer with an empty list.
    if let scope, known.count > Self.trustedAbsences, absent.count * 2 > known.count, !trusted.contains(scope) {
      doubted.insert(scope)
      return
    }
    for id in absent.map(\.id) {
      guard var row = try store.row(id), let key = row.key else { continue }
      if coverage.owner != nil, capabilities.fetchesRows {
        // It may have moved to another owner.
        row.isOwed = true
        try owe(row, &store)
        continue
      }
      try remove(RemoteName(row.id.entity, key), since: began, &store)
    }
    let arrived = try store.arrived(in: coverage.entity)
    if arrived.isEmpty || coverage.owner != nil { return }
    try store.setArrived(
      arrived.filter { listed.contains($0.name.key) || !coverage.contains($0.name.key) }, in: coverage.entity)
  }
}

extension SyncMachine.Request {
  var isFetch: Bool { if case .fetch = kind { true } else { false } }
}
