/// A row of this store, by its class and number.
package struct RowID: Hashable, Sendable {
  package var entity: Int
  package var id: Int64

  package init(_ entity: Int, _ id: Int64) { (self.entity, self.id) = (entity, id) }
}

extension RowID: Comparable {
  package static func < (first: RowID, second: RowID) -> Bool {
    (first.entity, first.id) < (second.entity, second.id)
  }
}

/// A row with its three values: what the server last said (base), what is in flight (sent), and what the object has
/// (now).
///
/// What waits is the difference between base and now. A thousand changes of an attribute are one, and a change that is
/// put back is none.
package struct SyncRow: Hashable, Sendable {
  package enum Base: Hashable, Sendable {
    /// The same as now: nothing waits.
    case same
    /// The server has never had the row.
    case none
    case known(Fields)
    /// The row was changed where no one saw it. The next values from the server are compared with it.
    case unknown
  }

  package let id: RowID
  /// What the row is called outside. Nil if the server assigns keys and has not yet done so.
  package var key: SyncKey?
  /// Nil if the row was deleted here.
  package var now: Fields?
  package var base: Base
  package var version: Version?
  package var sent: Sent?
  package var hold: Hold?
  /// Whether the row has to be read again, because what the server last had is not known.
  package var isOwed = false
  /// Whether the last reading of its list did not have the row. The pages may have shifted while they were read.
  package var isMissed = false

  package init(_ id: RowID, key: SyncKey?, now: Fields?, base: Base) {
    (self.id, self.key, self.now, self.base) = (id, key, now, base)
  }

  /// A change in flight, as it was sent. It never grows.
  package struct Sent: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case creation, update, deletion }

    package var push: Int64
    /// Where the row is among those of the push.
    package var index: Int
    package var kind: Kind
    /// The values that were sent: all of a creation, those of an update that changed, none of a deletion.
    package var fields: Fields
    /// The ties up to this commit are settled with the change.
    package var commit: Int64
    /// How often it was sent. After the first time, an earlier one may have taken effect.
    package var attempts: Int
  }

  /// Why a row that has changes is not sent.
  package enum Hold: Hashable, Sendable {
    /// The server rejected these values. A change of the row lifts the hold.
    case rejected(reason: String, Fields?)
    /// The server refused the change because the row has other values there, which have to be read first.
    case outdated
    /// The row was sent to be created, no answer arrived, and there is no way to find out. What was sent is kept.
    case unconfirmed(Sent)
  }

  package typealias Version = RemoteVersion

  /// The server's last known values.
  package var baseFields: Fields? {
    switch base {
    case .same: now
    case .known(let fields): fields
    case .none, .unknown: nil
    }
  }

  /// Whether the row has something that the server does not have.
  package var isChanged: Bool {
    switch base {
    case .same: false
    case .none: now != nil
    case .known, .unknown: true
    }
  }

  /// Whether there is nothing left to remember: neither the server nor this store has the row.
  package var isGone: Bool { now == nil && base == .none && sent == nil && hold == nil }

  /// Whether the server knows the row.
  package var isThere: Bool { base != .none }

  /// Removes what was added to lists here and is not here any more. The server may not have it either.
  mutating func removeAbsentMembers() {
    for index in now?.names.map({ $0 }) ?? [] {
      guard let value = now?[index], value.isList else { continue }
      let known = baseFields?[index]?.references ?? []
      now?[index] = value.mappingReferences { $0.isKey && !known.contains($0) ? .null : $0 }
    }
  }

  /// A change that was put back is no change, and a hold of other values than the row has now is none.
  mutating func normalize() {
    if case .known(let fields) = base, now == fields { base = .same }
    switch hold {
    case .rejected(_, let fields) where fields != now || !isChanged: hold = nil
    default: break
    }
  }
}
