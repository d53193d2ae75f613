import Persistence
import Testing

@testable import SyncKit

/// What becomes of a list that both sides have changed.
@Suite struct SyncListTests {
  private static func value(_ members: [Int64], isOrdered: Bool) -> SyncValue {
    .list(SyncList(members.map { .object($0) }, isOrdered: isOrdered))
  }

  private func row(_ base: [Int64]?, _ now: [Int64], isOrdered: Bool) -> SyncRow {
    let base = base.map { SyncRow.Base.known(Fields([Self.value($0, isOrdered: isOrdered)])) }
    return SyncRow(
      RowID(0, 1), key: 1, now: Fields([Self.value(now, isOrdered: isOrdered)]), base: base ?? .unknown)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var base: [Int64]
    var mine: [Int64]
    var theirs: [Int64]
    var result: [Int64]
    /// The result if this side decides. The same if there is no conflict.
    var other: [Int64]?

    var testDescription: String { "\(base): \(mine) and \(theirs)" }
  }

  @Test(arguments: [
    Case(base: [1, 2], mine: [1, 2, 3], theirs: [1, 2, 4], result: [1, 2, 3, 4]),
    Case(base: [1, 2], mine: [2], theirs: [1], result: []),
    Case(base: [1, 2], mine: [1, 2, 3], theirs: [2], result: [2, 3]),
    Case(base: [1], mine: [1, 2], theirs: [1, 2], result: [1, 2]),
    Case(base: [], mine: [3, 1], theirs: [2], result: [1, 2, 3]),
  ])
  func `a set has what was added on both sides, and not what was removed on one`(_ one: Case) {
    for choice in [ConflictPolicy.Choice.mine, .theirs] {
      var row = row(one.base, one.mine, isOrdered: false)
      #expect(row.merge(Fields([Self.value(one.theirs, isOrdered: false)]), policy(choice)).isEmpty)
      #expect(row.now?[0] == Self.value(one.result, isOrdered: false))
      #expect(row.baseFields?[0] == Self.value(one.theirs, isOrdered: false))
    }
  }

  @Test(arguments: [
    Case(base: [1, 2, 3], mine: [3, 1, 2], theirs: [1, 2, 3, 4], result: [3, 4, 1, 2]),
    Case(base: [1, 2, 3], mine: [1, 2, 3, 4], theirs: [3, 2, 1], result: [3, 4, 2, 1]),
    Case(base: [1, 2], mine: [0, 1, 2], theirs: [1, 2, 3], result: [0, 1, 2, 3]),
    Case(base: [1, 2, 3], mine: [1, 3], theirs: [3, 2, 1], result: [3, 1]),
    Case(base: [1, 2, 3], mine: [2, 1, 3], theirs: [2, 1, 3, 4], result: [2, 1, 3, 4]),
    Case(
      base: [1, 2, 3], mine: [2, 1, 3, 5], theirs: [3, 2, 1, 4], result: [3, 5, 2, 1, 4], other: [2, 1, 4, 3, 5]),
  ])
  func `a list is arranged as the side has it that has arranged it, and both only by the policy`(_ one: Case) {
    for choice in [ConflictPolicy.Choice.mine, .theirs] {
      var row = row(one.base, one.mine, isOrdered: true)
      let reports = row.merge(Fields([Self.value(one.theirs, isOrdered: true)]), policy(choice))
      #expect(reports.count == (one.other == nil ? 0 : 1))
      #expect(row.now?[0] == Self.value(choice == .mine ? one.other ?? one.result : one.result, isOrdered: true))
    }
  }

  @Test func `without a base, a list is a value like others`() {
    var row = row(nil, [1, 2], isOrdered: false)
    let reports = row.merge(Fields([Self.value([2, 3], isOrdered: false)]), ConflictPolicy())
    #expect(reports.count == 1)
    #expect(row.now?[0] == Self.value([2, 3], isOrdered: false))
  }

  @Test func `a set is the same in any order, and a list is not`() {
    let members: [SyncValue] = [.key("b"), .object(2), .key("a"), .object(1), .object(2)]
    let set = SyncList(members, isOrdered: false)
    #expect(set.members == [.object(1), .object(2), .key("a"), .key("b")])
    #expect(set == SyncList(members.reversed(), isOrdered: false))
    let list = SyncList(members, isOrdered: true)
    #expect(list.members.count == 4 && list != SyncList(members.reversed(), isOrdered: true))
    #expect(SyncList(list.rows, with: list.absent, isOrdered: true) == list)
    #expect(SyncList(set.rows, with: set.absent, isOrdered: false) == set)
  }

  private func policy(_ choice: ConflictPolicy.Choice) -> ConflictPolicy {
    var policy = ConflictPolicy()
    policy.attribute = choice
    return policy
  }
}
