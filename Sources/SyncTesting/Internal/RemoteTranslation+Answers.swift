internal import Persistence
internal import SyncKit

/// From the numbers of the machine to the classes of an app.
extension RemoteTranslation {
  func place(of type: ManagedObject.Type) throws(SyncError) -> (entity: Int, table: SyncedTables.Table) {
    let entity = try entity(type)
    return (entity, tables.tables[entity])
  }

  func page(_ page: Page) -> SyncPage {
    SyncPage(
      page.rows.map(object), deleted: page.deleted.map(key), position: page.position, hasMore: page.hasMore,
      covers: page.covers.map(coverage), together: page.together.map(coverage))
  }

  private func coverage(_ coverage: Coverage) -> SyncCoverage {
    .keys(tables.types[coverage.entity], from: coverage.first, to: coverage.last)
  }

  func outcome(_ outcome: Outcome) -> SyncOutcome {
    switch outcome {
    case .accepted(let key, let version, let row): .accepted(row.map(object), key: key, version: version)
    case .conflict(let row): .conflict(row.map(object))
    case .rejected(let reason): .rejected(reason)
    case .missing: .missing
    case .gone: .gone
    case .failed: .later()
    }
  }

  func object(_ row: RemoteRow) -> RemoteObject {
    let values = row.fields.values.enumerated().compactMap { index, value in
      value.map { RemoteAssignment(.column(index), $0) }
    }
    return RemoteObject(key(row.name), version: row.version, values)
  }
}

extension RemoteAssignment {
  fileprivate init(_ property: Property, _ value: SyncValue) {
    switch value {
    case .plain(let value): self.init(property, value, isLink: false)
    case .key(let key): self.init(property, key.value, isLink: true)
    case .list(let list):
      let keys = list.members.compactMap { if case .key(let key) = $0 { key } else { nil } }
      self.init(property, .null, isLink: true, members: keys)
    // No API knows the numbers of a store.
    case .object: self.init(property, .null, isLink: true)
    }
  }
}
