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
      if position == nil { listed[scope] = [] }
      actions.append(.pull(request: begin(.pull(scope)), scope: scope, after: position))
    }
    return actions
  }

  func isPulling(_ scope: String) -> Bool { requests.values.contains { $0.kind == .pull(scope) } }

  mutating func startFetches(at now: Int64, _ store: some SyncStore) throws -> [SyncAction] {
    guard capabilities.fetchesRows, !isPaused, now >= pace.nextRead, !requests.values.contains(where: \.isFetch) else {
      return []
    }
    let owed = try store.owed()
    pace.keepFetches(of: owed)
    var names: [RemoteName] = []
    for id in owed where names.count < Self.fetchLimit && pace.allowsFetching(id, at: now) {
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
    // One whose later pages fail is read again later and later.
    if !page.hasMore { pace.succeedReading() }
    if !(page.covers + page.together).isEmpty, !reading.contains(scope) { doubted.remove(scope) }
    let isComplete = try apply(page, of: scope, since: request.began, &store)
    if restarts.remove(scope) != nil {
      wanted.insert(scope)
      return
    }
    if page.hasMore { reading.insert(scope) }
    // What is doubted is listed again.
    if isComplete, page.hasMore || !doubted.contains(scope) { try store.setPosition(page.position, of: scope) }
    // Each page says so, or none.
    if page.together.isEmpty { listed[scope] = nil }
    listed[scope]?.formUnion(page.rows.lazy.map(\.name))
    if page.hasMore || !isComplete { wanted.insert(scope) }
    guard isComplete, !page.hasMore else { return }
    reading.remove(scope)
    if let names = listed.removeValue(forKey: scope) {
      for coverage in page.together { try miss(coverage, in: names, of: scope, since: request.began, &store) }
    }
    trusted.remove(scope)
    if again.remove(scope) != nil { wanted.insert(scope) }
  }

  mutating func fetched(
    _ number: Int, _ rows: [RemoteRow], _ missing: [RemoteName], at now: Int64, _ store: inout some SyncStore
  ) throws {
    guard let request = requests.removeValue(forKey: number), case .fetch(let names) = request.kind else { return }
    pace.succeedReading()
    let asked = names.filter { !isAnswered($0, since: request.began) }
    _ = try apply(Page(rows, deleted: missing), of: nil, since: request.began, &store)
    // A server that answers with what it had before is not asked again at once.
    for name in asked {
      guard let id = try store.find(name.key, in: name.entity), let row = try store.row(id) else { continue }
      if row.isOwed, row.sent == nil { pace.delayFetching(id, at: now) }
    }
  }

  /// - Returns: Whether nothing of the page was left out for good.
  private mutating func apply(
    _ page: Page, of scope: String?, since began: Int, _ store: inout some SyncStore
  ) throws -> Bool {
    overlapped.formUnion(pushes)
    defer { noteAnswers(about: page) }
    var names = page.rows.map(\.name) + page.deleted
    for row in page.rows { names += model.names(in: row.fields, of: row.name.entity) }
    try store.prefetch(names)
    let (known, isComplete) = try insertNew(page.rows, since: began, &store)
    let late = try applyFree(known, since: began, &store)
    for name in page.deleted { try remove(name, since: began, &store) }
    let covers =
      removed.contains(.absenceWithinCoverage) ? model.classes.indices.map { Coverage(of: $0) } : page.covers
    // A page that has to be asked for again may be older than what its position says.
    for coverage in isComplete ? covers : [] {
      try removeAbsent(from: page, of: scope, coverage, since: began, &store)
    }
    try applyLate(late, since: began, &store)
    return isComplete
  }

  /// Requests that began before this page was applied, and are answered later, may have been made before it or after.
  private mutating func noteAnswers(about page: Page) {
    if requests.isEmpty { return }
    moment += 1
    for row in page.rows { answers[row.name] = moment }
    for name in page.deleted { answers[name] = moment }
  }

  /// Applies a row of the server, unless that may be older than what is known.
  mutating func apply(_ remote: RemoteRow, since began: Int, _ store: inout some SyncStore) throws {
    let name = remote.name
    guard let id = try store.find(name.key, in: name.entity), var row = try store.row(id) else {
      return try admit(remote, &store)
    }
    if isOlder(remote, than: row) {
      row.isMissed = false
      return try put(row, &store)
    }
    if isUndecided(remote, row, since: began) {
      (row.isOwed, row.isMissed) = (true, false)
      try owe(row, &store)
      // If the server does not take the creation, or does not have the row any more, this is another row with the same
      // key.
      if row.sent?.kind == .creation || row.sent != nil && model.classes[id.entity].settling.makesKeyHere {
        try arrive(remote, &store)
      }
      return
    }
    let reports = row.merge(try resolved(remote.fields, of: id.entity, store), policy)
    row.version = remote.version
    try put(row, &store)
    for report in reports { try store.report(report) }
  }

  func isOlder(_ remote: RemoteRow, than row: SyncRow) -> Bool {
    remote.version?.isOlder(than: row.version) == true && row.base != .unknown && !removed.contains(.freshness)
  }

  /// Whether a row may be older than what is known: what is in flight may have taken effect before the page was made,
  /// or after.
  func isUndecided(_ remote: RemoteRow, _ row: SyncRow, since began: Int) -> Bool {
    row.sent != nil || remote.version?.isOlder(than: row.version) == nil && isAnswered(remote.name, since: began)
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

  /// Inserts the rows of a page that are not here.
  ///
  /// - Returns: Those that are still to be applied, and whether no row was left out for good.
  private mutating func insertNew(
    _ rows: [RemoteRow], since began: Int, _ store: inout some SyncStore
  ) throws -> (known: [RemoteRow], isComplete: Bool) {
    var known: [RemoteRow] = []
    var new = [[RemoteRow]](repeating: [], count: model.classes.count)
    var seen: Set<RemoteName> = []
    var isComplete = true
    let isCreating = try model.classes.indices.map { entity in
      try !model.classes[entity].settling.makesKeyHere && !store.creations(in: entity).isEmpty
    }
    for row in rows {
      let name = row.name
      if try seen.contains(name) || store.find(name.key, in: name.entity) != nil {
        known.append(row)
      } else if isAnswered(name, since: began) {
        // It was deleted, and perhaps the page does not know that yet.
        isComplete = false
      } else if isCreating[name.entity] {
        // It may be one of those.
        try arrive(row, &store)
      } else if model.classes[name.entity].isUnique {
        known.append(row)
      } else {
        seen.insert(name)
        new[name.entity].append(row)
      }
    }
    for entity in model.targetsFirst where !new[entity].isEmpty { try insert(new[entity], in: entity, &store) }
    return (known, isComplete)
  }

  /// Inserts rows, to which others may refer already.
  @discardableResult
  func insert(_ rows: [RemoteRow], in entity: Int, _ store: inout some SyncStore) throws -> [RowID] {
    var new = rows
    for index in new.indices { new[index].fields = try resolved(new[index].fields, of: entity, store) }
    let ids = try store.insert(new, in: entity)
    for (id, row) in zip(ids, rows) { try connect(id, row.name, &store) }
    return ids
  }

  /// Lets the rows that refer to a key refer to its row.
  func connect(_ id: RowID, _ name: RemoteName, _ store: inout some SyncStore) throws {
    let waiting = try store.waiting(for: name.key, in: name.entity)
    guard !waiting.isEmpty, try store.row(id)?.now != nil else { return }
    for (other, attribute) in waiting {
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
    let listed = Set(page.rows.lazy.map(\.name))
    let absent = try absent(coverage, from: listed, of: scope, store)
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
      arrived.filter { listed.contains($0.name) || !coverage.contains($0.name.key) }, in: coverage.entity)
  }

  /// The rows that a list should have and does not have. None if that are too many to be believed: a server that fails
  /// may answer with an empty list.
  private mutating func absent(
    _ coverage: Coverage, from listed: Set<RemoteName>, of scope: String?, _ store: some SyncStore
  ) throws -> [SyncRow] {
    let known = try store.rows(in: coverage)
    let absent = try known.filter { !listed.contains(RemoteName(coverage.entity, $0.key)) }
      .compactMap { try store.row($0.id) }.filter { $0.isThere || $0.hold == .outdated }
    if let scope, known.count > Self.trustedAbsences, absent.count * 2 > known.count, !trusted.contains(scope) {
      doubted.insert(scope)
      return []
    }
    return absent
  }

  /// Removes the rows that the pages of two readings did not have, or asks for those that one reading did not have.
  /// What is changed here is sent, and the answer decides.
  private mutating func miss(
    _ coverage: Coverage, in listed: Set<RemoteName>, of scope: String, since began: Int, _ store: inout some SyncStore
  ) throws {
    let arrived = try store.arrived(in: coverage.entity)
    if !arrived.isEmpty, coverage.owner == nil {
      try store.setArrived(
        arrived.filter { listed.contains($0.name) || !coverage.contains($0.name.key) }, in: coverage.entity)
    }
    for var row in try absent(coverage, from: listed, of: scope, store) {
      guard let key = row.key, row.sent == nil, !isAnswered(RemoteName(row.id.entity, key), since: began)
      else { continue }
      // Unless it has to be read before it is sent.
      let isWaiting = row.hold == .outdated || capabilities.comparesVersions && row.isOwed
      if row.isChanged || row.hold != nil, !isWaiting { continue }
      if capabilities.fetchesRows {
        row.isOwed = true
        try owe(row, &store)
      } else if row.isMissed || trusted.contains(scope) {
        try remove(RemoteName(row.id.entity, key), since: began, &store)
      } else {
        row.isMissed = true
        try put(row, &store)
      }
    }
  }
}

extension SyncMachine.Request {
  var isFetch: Bool { if case .fetch = kind { true } else { false } }
}
