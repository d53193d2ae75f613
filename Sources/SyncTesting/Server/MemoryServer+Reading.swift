internal import Foundation
internal import Persistence
package import SyncKit

extension MemoryServer {
  package func remoteRow(_ name: RemoteName) -> RemoteRow? {
    rows[name].map { RemoteRow(name, version: visible($0.version), $0.fields) }
  }

  func visible(_ version: Int64) -> SyncRow.Version? {
    switch abilities.remote.versions {
    case .none: nil
    case .opaque: .opaque("\(version)")
    case .ordered: .ordered(version)
    }
  }

  package func fetch(_ names: [RemoteName]) -> (rows: [RemoteRow], missing: [RemoteName]) {
    (names.compactMap(remoteRow), names.filter { rows[$0] == nil })
  }

  package func page(after position: String?) -> Page {
    switch abilities.listing {
    case .whole: Page(names.compactMap(remoteRow), covers: model.classes.indices.map { Coverage(of: $0) })
    case .log(let count): changes(since: position.flatMap { Int64($0) }, count)
    case .shifting(let count): rows(from: position.flatMap { Int($0) } ?? 0, count)
    case .byKey(let count): rows(after: position, count)
    case .byOwner: rows(of: position)
    }
  }

  private func changes(since: Int64?, _ count: Int) -> Page {
    let all = stamps.filter { $0.value > since ?? 0 }.sorted { $0.value < $1.value }.map(\.key)
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
  private func rows(after position: String?, _ count: Int) -> Page {
    let parts = (position ?? "0").split(separator: " ", maxSplits: 1)
    let entity = Int(parts[0]) ?? 0
    let start = parts.count > 1 ? key(String(parts[1]), in: entity) : nil
    let all = names.filter { name in name.entity == entity && start.map { $0 < name.key } ?? true }
    let part = all.prefix(count)
    let isLast = part.count == all.count
    let last = isLast ? nil : part.last?.key
    let next = last.map { "\(entity) \($0)" } ?? "\(entity + 1)"
    let hasMore = !isLast || entity + 1 < model.classes.count
    return Page(
      part.compactMap(remoteRow), position: hasMore ? next : nil, hasMore: hasMore,
      covers: [Coverage(of: entity, from: start.map(successor), to: last)])
  }

  private func key(_ text: String, in entity: Int) -> SyncKey {
    switch keyForms[entity] {
    case .integer: SyncKey(.integer(Int64(text) ?? .min))
    case .text: SyncKey(.text(text))
    case .uuid: SyncKey(.blob(UUID(uuidString: text).map { withUnsafeBytes(of: $0.uuid) { Data($0) } } ?? Data()))
    }
  }

  /// The next key in their order.
  private func successor(of key: SyncKey) -> SyncKey {
    switch key.value {
    case .integer(let number): SyncKey(.integer(number + 1))
    case .text(let text): SyncKey(.text(text + "\0"))
    case .blob(let bytes): SyncKey(.blob(bytes + [0]))
    default: key
    }
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
  package var number: Int64 { if case .integer(let number) = value { number } else { 0 } }
}
