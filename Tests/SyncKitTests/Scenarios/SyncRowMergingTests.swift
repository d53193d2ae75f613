import Persistence
import Testing

@testable import SyncKit

/// What a row becomes, by its base, its values here and the values there.
@Suite struct SyncRowMergingTests {
  private static func row(_ base: SyncRow.Base, _ now: Fields?) -> SyncRow {
    SyncRow(RowID(0, 1), key: SyncKey(.integer(1)), now: now, base: base)
  }

  private static func fields(_ values: SyncValue?...) -> Fields { Fields(ContiguousArray(values)) }

  private let old = fields(.text("a"), .text("b"))

  @Test func `an unchanged row takes what the server has`() {
    var row = Self.row(.same, old)
    #expect(row.merge(Self.fields(.text("A"), nil), ConflictPolicy()).isEmpty)
    #expect(row.now == Self.fields(.text("A"), .text("b")))
    #expect(row.base == .same)
  }

  @Test func `changes of different attributes are both kept`() {
    var row = Self.row(.known(old), Self.fields(.text("mine"), .text("b")))
    #expect(row.merge(Self.fields(.text("a"), .text("theirs")), ConflictPolicy()).isEmpty)
    #expect(row.now == Self.fields(.text("mine"), .text("theirs")))
    #expect(row.isChanged)
  }

  @Test(arguments: [ConflictReport.Choice.mine, .theirs])
  func `an attribute that both sides changed is reported, and the policy decides`(_ choice: ConflictReport.Choice) {
    var policy = ConflictPolicy()
    policy.attribute = choice
    var row = Self.row(.known(old), Self.fields(.text("mine"), .text("b")))
    let reports = row.merge(Self.fields(.text("theirs"), .text("b")), policy)
    #expect(reports.map(\.kind) == [.attribute(0, base: .text("a"), mine: .text("mine"), theirs: .text("theirs"))])
    #expect(row.now?[0] == .text(choice == .mine ? "mine" : "theirs"))
    #expect(row.isChanged == (choice == .mine))
  }

  @Test func `the same change on both sides is no conflict`() {
    var row = Self.row(.known(old), Self.fields(.text("same"), .text("b")))
    #expect(row.merge(Self.fields(.text("same"), .text("b")), ConflictPolicy()).isEmpty)
    #expect(row.base == .same)
  }

  @Test func `without a base, each difference is reported`() {
    var row = Self.row(.unknown, Self.fields(.text("mine"), .text("b")))
    let reports = row.merge(old, ConflictPolicy())
    #expect(reports.map(\.kind) == [.attribute(0, base: nil, mine: .text("mine"), theirs: .text("a"))])
  }

  @Test func `a row that was deleted here stays deleted unless the policy says otherwise`() {
    var row = Self.row(.known(old), nil)
    #expect(row.merge(old, ConflictPolicy()).isEmpty)
    #expect(row.merge(Self.fields(.text("A"), .text("b")), ConflictPolicy()).count == 1)
    #expect(row.now == nil)
    var policy = ConflictPolicy()
    policy.deletedHere = .theirs
    _ = row.merge(Self.fields(.text("B"), .text("b")), policy)
    #expect(row.now == Self.fields(.text("B"), .text("b")))
  }

  @Test func `a row that is deleted there goes, with a report if it was changed here`() {
    var row = Self.row(.same, old)
    #expect(row.mergeDeletion(ConflictPolicy()).isEmpty)
    #expect(row.isGone)
    row = Self.row(.known(old), Self.fields(.text("mine"), .text("b")))
    #expect(row.mergeDeletion(ConflictPolicy()).count == 1)
    #expect(row.isGone)
  }

  @Test func `a row that is deleted there can become a new one`() {
    var policy = ConflictPolicy()
    policy.deletedThere = .mine
    var row = Self.row(.known(old), Self.fields(.text("mine"), .text("b")))
    #expect(row.mergeDeletion(policy).count == 1)
    #expect(row.base == .none)
    #expect(row.key == nil)
    #expect(row.isChanged)
  }

  @Test func `a change that was put back is not in conflict with a deletion`() {
    var row = Self.row(.known(old), old)
    var policy = ConflictPolicy()
    policy.deletedThere = .mine
    #expect(row.mergeDeletion(policy).isEmpty)
    #expect(row.isGone)
  }
}
