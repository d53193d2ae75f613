import Persistence
import SyncKit

extension MemoryServer {
  func remoteRow(_ name: RemoteName) -> RemoteRow? {
    rows[name].map { RemoteRow(name, version: visible($0.version), $0.fields) }
  }

  func visible(_ version: Int64) -> SyncRow.Version? {
    switch abilities.remote.versions {
    case .none: nil
    case .opaque: .opaque("\(version)")
    case .ordered: .ordered(version)
    }
  }

  func fetch(_ names: [RemoteName]) -> (rows: [RemoteRow], missing: [RemoteName]) {
    (names.compactMap(remoteRow), names.filter { rows[$0] == nil })
  }

  func page(after position: String?) -> Page {
    switch abilities.listing {
    case .whole: Page(names.compactMap(remoteRow), covers: model.classes.indices.map { Coverage(of: $0) })
    case .log(let count): changes(since: position.flatMap { Int64($0) }, count)
    case .shifting(let count): rows(from: position.flatMap { Int($0) } ?? 0, count)
    case .byKey(let count): rows(after: position ?? "0:", count)
    case .byOwner: rows(of: position)
    }
  }

  private func changes(since: Int64?, _ count: Int) -> Page {
    let all = log.filter { since == nil || stamps[$0, default: 0] > since ?? 0 }
    let part = all.prefix(count)
    let isWhole = part.count == all.count
    return Page(
      part.compactMap(remoteRow), deleted: part.filter { rows[$0] == nil },
      position: isWhole ? "\(version)" : part.last.flatMap { stamps[$0] }.map { "\($0)" }, hasMore: !isWhole,
      covers: since == nil && isWhole ? model.classes.indices.map { Coverage(of: $0) } : [])
  }

  private func rows(from offset: Int, _ count: Int) -> Page {
    let part = names.dropFirst(offset).prefix(count)
    let hasMore = names.count > offset + count
    return Page(
      part.compactMap(remoteRow), position: hasMore ? "\(offset + count)" : nil, hasMore: hasMore,
      together: abilities.listsTogether ? model.classes.indices.map { Coverage(of: $0) } : [])
  }

  /// The position is a class and the last key.
  private func rows(after position: String, _ count: Int) -> Page {
    let parts = position.split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) }
    let (entity, key) = (Int(parts[0] ?? 0), parts[1])
    let all = names.filter { $0.entity == entity && SyncKey(.integer(key ?? .min)) < $0.key }
    let part = all.prefix(count)
    let isLast = part.count == all.count
    let last = isLast ? nil : part.last?.key
    let next = last.map { "\(entity):\($0.number)" } ?? "\(entity + 1):"
    let hasMore = !isLast || entity + 1 < model.classes.count
    return Page(
      part.compactMap(remoteRow), position: hasMore ? next : nil, hasMore: hasMore,
      covers: [Coverage(of: entity, from: key.map { SyncKey(.integer($0 + 1)) }, to: last)])
  }

  /// Lists, then the items of each list: what has no list is in the first page, which covers only the lists.
  private func rows(of position: String?) -> Page {
    let owners = names.filter { $0.entity == 0 }.map(\.key.number)
    let owner = position.flatMap { Int64($0) }
    let next = owners.first { $0 > owner ?? .min }
    let key = owner.map { SyncKey(.integer($0)) }
    let part = names.filter { name in
      guard name.entity > 0 else { return key == nil }
      return rows[name]?.fields[2] == key.map { .key($0) } ?? .null
    }
    let covers = key.map { Coverage(of: 1, owner: .init(attribute: 2, key: $0)) } ?? Coverage(of: 0)
    return Page(
      part.compactMap(remoteRow), position: next.map { "\($0)" }, hasMore: next != nil, covers: [covers],
      together: abilities.listsTogether ? [Coverage(of: 1)] : [])
  }
}

extension SyncKey {
  var number: Int64 { if case .integer(let number) = value { number } else { 0 } }
}
