import Foundation
import LarderTestSupport
import Persistence
import Testing

private final class Ledger: ManagedObject {
  @Attribute var name = ""
  @ToMany(inverse: \LedgerEntry.account) var bookings: RelatedObjects<LedgerEntry>
}

private final class LedgerEntry: ManagedObject {
  @Attribute var amount: Decimal = 0
  @Attribute var fee: Decimal?
  @Attribute var kind = 0
  @ToOne var account: Ledger?
}

/// Sums and means of decimals, compared with Swift's arithmetic.
@Suite struct DecimalSumTests {
  private let store: TemporaryStore
  private let container: PersistentContainer

  init() async throws {
    store = try TemporaryStore()
    container = try await store.open(Ledger.self, LedgerEntry.self)
  }

  @Test func `sums are exact, and means are those of Swift, for random decimals`() async throws {
    let seed = UInt64.random(in: .min ... .max)
    print("decimal sums: seed \(seed)")
    var random = SplitMix(seed: seed)
    let amounts = (0..<300).map { _ in
      Decimal(Int.random(in: -1_000_000_000...1_000_000_000, using: &random))
        / pow(10, Int.random(in: 0...9, using: &random))
    }
    let fees = amounts.map { Int.random(in: 0...2, using: &random) == 0 ? nil : $0 / 4 }
    try await container.newContext().persist { objects in
      let accounts = (0..<3).map { _ in objects.insert(Ledger.self) }
      for (index, (amount, fee)) in zip(amounts, fees).enumerated() {
        let booking = objects.insert(LedgerEntry.self)
        (booking.amount, booking.fee, booking.kind) = (amount, fee, index % 4)
        if index % 4 > 0 { booking.account = accounts[index % 4 - 1] }
      }
      _ = objects.insert(Ledger.self)
    }
    @Sendable func sum(_ values: [Decimal?]) -> Decimal { values.compactMap { $0 }.reduce(0, +) }
    @Sendable func mean(_ values: [Decimal?]) -> Decimal? { sum(values) / Decimal(values.compactMap { $0 }.count) }
    @Sendable func part<Value: Sendable>(_ values: [Value], _ kind: Int) -> [Value] {
      values.indices.filter { $0 % 4 == kind }.map { values[$0] }
    }
    try await container.newContext().perform { objects in
      let total: Decimal = try objects.aggregate(over: FetchDescriptor(LedgerEntry.self)) { $0.sum { $0.amount } }
      #expect(total == sum(amounts), "seed \(seed)")
      #expect(
        try objects.aggregate(over: FetchDescriptor(LedgerEntry.self)) { $0.sum { $0.fee } } == sum(fees),
        "seed \(seed)")
      #expect(
        try objects.aggregate(over: FetchDescriptor(LedgerEntry.self)) { $0.average { $0.amount } } == mean(amounts),
        "seed \(seed)")
      #expect(
        try objects.aggregate(over: FetchDescriptor(LedgerEntry.self)) { $0.average { $0.fee } } == mean(fees),
        "seed \(seed)")
      let perKind = try objects.groups(
        in: FetchDescriptor(LedgerEntry.self), by: { $0.kind }, of: { $0.sum { $0.amount } })
      #expect(perKind.map(\.value) == (0..<4).map { sum(part(amounts, $0)) }, "seed \(seed)")

      let groups = try objects.groups(
        by: { (booking: Row<LedgerEntry>) in booking.kind }, of: { ($0.sum { $0.fee }, $0.average { $0.amount }) })
      #expect(groups.map(\.value.0) == (0..<4).map { sum(part(fees, $0)) }, "seed \(seed)")
      #expect(groups.map(\.value.1) == (0..<4).map { mean(part(amounts, $0)) }, "seed \(seed)")

      let accounts = try objects.values(in: FetchDescriptor(Ledger.self)) {
        ($0.bookings.sum { $0.amount }, $0.bookings.average { $0.fee })
      }
      #expect(accounts.map(\.0) == (1...3).map { sum(part(amounts, $0)) } + [0], "seed \(seed)")
      #expect(accounts.map(\.1) == (1...3).map { mean(part(fees, $0)) } + [nil], "seed \(seed)")

      let limit = sum(part(amounts, 1))
      let rich = Query<Ledger> { $0.bookings.sum { $0.amount } >= limit && !$0.bookings.isEmpty }
      let found = try objects.fetch(Ledger.self, matching: rich).map(\.id)
      #expect(try objects.fetch(Ledger.self).filter { try rich.matches($0) }.map(\.id) == found && !found.isEmpty)
    }
  }

  @Test func `a sum that a decimal cannot hold exactly is an error, and no values have the sum 0`() async throws {
    try await container.newContext().perform { objects in
      let (sum, mean): (Decimal, Decimal?) =
        (
          try objects.aggregate(over: FetchDescriptor(LedgerEntry.self)) { $0.sum { $0.amount } },
          try objects.aggregate(over: FetchDescriptor(LedgerEntry.self)) { $0.average { $0.amount } }
        )
      #expect(sum == 0 && mean == nil)
    }
    let greatest = Decimal.greatestFiniteMagnitude
    let pairs: [(Decimal, Decimal)] = try [
      (greatest, greatest), (#require(Decimal(string: "1e30")), #require(Decimal(string: "1e-30"))),
    ]
    for (first, second) in pairs {
      try await container.newContext().persist { objects in
        _ = try objects.delete(LedgerEntry.self, matching: .all)
        (objects.insert(LedgerEntry.self).amount, objects.insert(LedgerEntry.self).amount) = (first, second)
      }
      try await container.newContext().perform { objects in
        for query in [
          { _ = try objects.aggregate(over: FetchDescriptor(LedgerEntry.self)) { $0.sum { $0.amount } } as Decimal },
          {
            _ = try objects.aggregate(over: FetchDescriptor(LedgerEntry.self)) { $0.average { $0.amount } } as Decimal?
          },
          { _ = try objects.groups(by: { (row: Row<LedgerEntry>) in row.kind }, of: { $0.sum { $0.amount } }) },
        ] as [() throws -> Void] {
          #expect { try query() } throws: { if case .sumOverflow = $0 as? PersistenceError { true } else { false } }
        }
      }
    }
  }

  @Test func `a live value follows a sum of decimals`() async throws {
    let container = container
    var sums = container.liveValues {
      try $0.aggregate(over: FetchDescriptor(LedgerEntry.self)) { $0.sum { $0.amount } } as Decimal
    }.makeAsyncIterator()
    #expect(try await sums.next() == 0)
    for step in 1...3 {
      try await container.newContext().persist {
        $0.insert(LedgerEntry.self).amount = Decimal(sign: .plus, exponent: -1, significand: 1)
      }
      #expect(try await sums.next() == Decimal(step) / 10)
    }
  }
}
