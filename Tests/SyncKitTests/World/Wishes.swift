import SyncKit
import SyncTesting

/// Who wanted which row in which list. Where all agree, the list has the member in the end, or does not have it.
struct Wishes: Hashable {
  private struct Pair: Hashable {
    var owner: RowID
    var member: RowID
  }

  private struct NamedPair: Hashable {
    var owner: RemoteName
    var member: RemoteName
  }

  /// What each device wanted. Both, if it began again with an older store or deleted one of the two.
  private var devices: [Int: [Pair: Set<Bool>]] = [:]
  private var others: [NamedPair: Set<Bool>] = [:]
  /// A row that a device has deleted left its lists with that, also if the deletion still waits. An older copy of the
  /// store may make it again.
  private var deleted: Set<RemoteName> = []
  /// A row that was deleted there may be made again by the device that has made it, without the lists that it was in.
  private var deletedThere: Set<RemoteName> = []

  /// What rows were called that are not in the store any more.
  private var keys: [Int: [RowID: SyncKey]] = [:]

  /// Called before a device changes a list.
  mutating func look(at store: MemoryStore, of device: Int) {
    for row in store.rows.values { if let key = row.key { keys[device, default: [:]][row.id] = key } }
  }

  /// A device gets an older store in place of this one. What it wanted is uncertain, and numbers may return.
  mutating func restore(_ store: MemoryStore, of device: Int) {
    look(at: store, of: device)
    for pair in devices[device, default: [:]].keys {
      let name = name(of: pair, on: device)
      if let name { others[name] = [true, false] }
      devices[device]?[pair] = name == nil ? [true, false] : nil
    }
    keys[device] = nil
  }

  private func name(of pair: Pair, on device: Int) -> NamedPair? {
    guard let owner = keys[device]?[pair.owner], let member = keys[device]?[pair.member] else { return nil }
    return NamedPair(owner: RemoteName(pair.owner.entity, owner), member: RemoteName(pair.member.entity, member))
  }

  mutating func edit(_ owner: RowID, in target: Int, from old: [Int64], to new: [Int64], on device: Int) {
    for id in Set(old).symmetricDifference(new) {
      let pair = Pair(owner: owner, member: RowID(target, id))
      let isUncertain = devices[device]?[pair]?.count == 2
      devices[device, default: [:]][pair] = isUncertain ? [true, false] : [new.contains(id)]
    }
  }

  mutating func edit(_ owner: RemoteName, in target: Int, from old: SyncList, to new: SyncList) {
    for case .key(let key) in Set(old.members).symmetricDifference(new.members) {
      others[NamedPair(owner: owner, member: RemoteName(target, key)), default: []].insert(
        new.members.contains(.key(key)))
    }
  }

  mutating func delete(_ row: RowID, _ key: SyncKey?, on device: Int) {
    if let key { deleted.insert(RemoteName(row.entity, key)) }
    forget(row, on: device)
  }

  mutating func deleted(_ name: RemoteName) { deletedThere.insert(name) }

  private mutating func forget(_ row: RowID, on device: Int) {
    devices[device] = devices[device]?.reduce(into: [:]) { wishes, wish in
      let isConcerned = wish.key.owner == row || wish.key.member == row
      wishes[wish.key] = isConcerned ? [true, false] : wish.value
    }
  }

  /// What is not as all wanted it.
  func broken(in world: World) -> String? {
    let abilities = world.server.abilities
    // Another row may have the name of a deleted one; and what was sent of an unconfirmed row names rows by numbers
    // that they may not have any more.
    if abilities.hasNaturalKeys || world.server.model.classes.contains(where: { $0.settling == .none }) { return nil }
    var (all, named) = (others, self)
    for (number, wishes) in devices {
      let store = world.devices[number].store
      named.look(at: store, of: number)
      for (pair, wish) in wishes {
        guard let name = named.name(of: pair, on: number) else { continue }
        all[name, default: []].formUnion(store.rows[pair.owner]?.isChanged == true ? [true, false] : wish)
      }
    }
    // The last write wins, and a list is a value like others where its base is not known.
    let reported = Set(
      world.devices.flatMap { device in
        device.store.reports.compactMap { report in report.key.map { RemoteName(report.row.entity, $0) } }
      })
    let uncertain = deleted.union(deletedThere)
    for (pair, wish) in all where wish.count == 1 && !reported.contains(pair.owner) {
      if uncertain.contains(pair.owner) || uncertain.contains(pair.member) { continue }
      guard case .list(let list)? = world.server.rows[pair.owner]?.fields[Simulation.members],
        world.server.rows[pair.member] != nil,
        abilities.remote.comparesVersions || abilities.addsMembers && !list.isOrdered
      else { continue }
      if list.members.contains(.key(pair.member.key)) != wish.contains(true) {
        return "\(pair.member) in \(pair.owner) is not as all wanted it: \(list.members)"
      }
    }
    return nil
  }
}
