import Foundation
import LarderTestSupport
import Testing

@testable import Persistence

private final class Receipt: ManagedObject {
  @Attribute var paid = Date(timeIntervalSince1970: 0)
  @Attribute(.unique) var due: Date?
  @Attribute var price: Decimal = 1.5
  @Attribute(.unique) var tax: Decimal?
  @Attribute var name = ""
}

/// The format of a store's file, as other programs read it.
@Suite struct FileFormatTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// Millions with `LARDER_LONG_TESTS`.
  private static let dates = ProcessInfo.processInfo.environment["LARDER_LONG_TESTS"] == nil ? 100_000 : 5_000_000

  @Test func `every date reads back as it was assigned`() throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    var random = SplitMix(seed: seed)
    var seconds = [
      0, -0.0, .leastNonzeroMagnitude, 978_307_200, -978_307_200, .infinity, 1e300, -1e300, 0x1p53, 0x1p60,
    ]
    seconds += [Date.distantPast, .distantFuture].map(\.timeIntervalSinceReferenceDate)
    for _ in 0..<Self.dates {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: seconds.append(.random(in: -1e11...1e11, using: &random))
      case 1: seconds.append(.random(in: -2e9...2e9, using: &random))
      case 2: seconds.append(Double(Int64.random(in: -2_000_000_000...2_000_000_000, using: &random)) / 1000)
      default: seconds.append(Double(bitPattern: random.next()))
      }
    }
    for number in seconds where !number.isNaN {
      let date = Date(timeIntervalSinceReferenceDate: number)
      let assigned = date.roundedForStorage
      let read = try #require(Date(stored: assigned.stored))
      // Without #expect, which would take most of the time.
      if read != assigned || Date(stored: date.stored) != assigned || assigned.roundedForStorage != assigned {
        Issue.record("seed \(seed): \(number) is read as \(read.timeIntervalSinceReferenceDate)")
        return
      }
      if abs(number) < 3e9, abs(assigned.timeIntervalSince(date)) > 2.5e-7 {
        Issue.record("seed \(seed): \(number) moves by \(assigned.timeIntervalSince(date))")
        return
      }
    }
  }

  @Test func `dates have the stored precision in memory, in queries and in unique attributes`() async throws {
    let container = try await store.open(Receipt.self)
    let context = container.newContext()
    // Finer than stored Unix time.
    let fine = Date(timeIntervalSinceReferenceDate: 0.1 + 0.2)
    let finer = Date(timeIntervalSinceReferenceDate: (0.1 + 0.2).nextUp)
    let id = try await context.persist { objects in
      let receipt = objects.insert(Receipt.self)
      (receipt.paid, receipt.due) = (fine, fine)
      #expect(receipt.paid == fine.roundedForStorage && receipt.paid != fine)
      return receipt.id
    }
    try await container.newContext().perform { objects in
      let receipt = try objects.object(id)
      #expect(receipt.paid == fine.roundedForStorage && receipt.due == fine.roundedForStorage)
      #expect(try objects.fetch(Receipt.self, where: { $0.paid == fine }) == [receipt])
      #expect(try objects.fetch(Receipt.self, matching: #Predicate { $0.due == finer }) == [receipt])
    }
    // The same date to the store: no change, and a duplicate of a unique value.
    try await context.perform { try $0.object(id).paid = finer }
    #expect(await !context.hasChanges)
    await #expect(throws: PersistenceError.self) {
      try await context.persist { $0.insert(Receipt.self).due = finer }
    }
  }

  @Test func `dates are stored as Unix time, decimals as digits with a sort key`() async throws {
    let container = try await store.open(Receipt.self)
    let numbers: [Decimal] = [-1.5, 0, 0.001, 2, 10, 99.95, -20, 1_000_000]
    try await container.newContext().persist { objects in
      for number in numbers.shuffled() {
        let receipt = objects.insert(Receipt.self)
        (receipt.price, receipt.tax) = (number, number)
        receipt.paid = Date(timeIntervalSince1970: 1_792_800_000.25)
      }
    }
    #expect(
      try await SQLiteShell.run("SELECT DISTINCT datetime(paid,'unixepoch'),paid FROM Receipt", on: store.file)
        == "2026-10-24 00:00:00|1792800000.25\n")
    let sorted = numbers.sorted().map { "\($0)" }.joined(separator: "\n") + "\n"
    #expect(try await SQLiteShell.run("SELECT price FROM Receipt ORDER BY _sort_price", on: store.file) == sorted)
    #expect(
      try await SQLiteShell.run("SELECT tax FROM Receipt ORDER BY CAST(tax AS REAL)", on: store.file) == sorted)
  }

  @Test func `every kind of change writes both columns of a decimal`() async throws {
    let container = try await store.open(Receipt.self)
    let context = container.newContext()
    // Inserted one by one, in a batch, and with the default.
    try await context.persist { objects in
      for number in 0..<40 {
        let receipt = objects.insert(Receipt.self)
        if number > 0 { receipt.tax = Decimal(number) / 4 }
      }
    }
    // A run of adjacent rows, and a single row.
    try await context.persist { objects in
      for (number, receipt) in try objects.fetch(Receipt.self).prefix(20).enumerated() {
        receipt.price = Decimal(number)
      }
      try objects.fetch(Receipt.self)[30].price = -7.25
    }
    try await container.newContext().persist { objects in
      try objects.update(
        Receipt.self, where: { $0.price == 3 }, set: [.set(\.tax, to: nil), .increment(\.price, by: 0.5)])
      try objects.update(Receipt.self, where: { $0.tax == 1 }, set: [.set(\.price, to: 1000)])
      try objects.import(
        [Decimal(5), Decimal(string: "123.456")!], into: Receipt.self, matching: \.tax,
        [.set(\.tax) { $0 }, .set(\.name) { _ in "imported" }])
    }
    let expected = try await container.newContext().perform { objects in
      try objects.fetch(Receipt.self).map { "\($0.price)|\($0.tax.map { "\($0)" } ?? "")\n" }.joined()
    }
    #expect(try await SQLiteShell.run("SELECT price,tax FROM Receipt ORDER BY _id", on: store.file) == expected)
    #expect(expected.contains("3.5|\n") && expected.contains("1000|1\n") && expected.contains("1.5|123.456\n"))
  }

  @Test func `the columns of a join table are named after what they hold`() async throws {
    let container = try await store.open(Ticket.self, Board.self, Marker.self)
    try await container.newContext().persist { objects in
      let (board, marker) = (objects.insert(Board.self), objects.insert(Marker.self))
      let (ticket, blocker) = (objects.insert(Ticket.self), objects.insert(Ticket.self))
      board.markers.insert(marker)
      ticket.blockers.insert(blocker)
    }
    let columns = "SELECT group_concat(name) FROM pragma_table_info"
    #expect(
      try await SQLiteShell.run("\(columns)('Board.markers+Marker.boards')", on: store.file)
        == "Board,Marker,_order_Board\n")
    #expect(
      try await SQLiteShell.run(#"SELECT blockers,blocked FROM "Ticket.blocked+Ticket.blockers""#, on: store.file)
        == "2|1\n")
  }

  @Test func `any SQLite can read, sort, write and check a store's file`() async throws {
    let container = try await store.open(Receipt.self, Ticket.self, Board.self, Marker.self)
    try await container.newContext().persist { $0.insert(Receipt.self).tax = 2 }
    // A function, collation or tokenizer that only this package has would fail here.
    #expect(
      try await SQLiteShell.run(
        """
        INSERT INTO Receipt(_id,paid,price,_sort_price,tax,_sort_tax,name) VALUES(70,0,'3.5','>5001.35','3','>5001.3','x');
        UPDATE Receipt SET name='y' WHERE _id=70;
        PRAGMA integrity_check; PRAGMA foreign_key_check; REINDEX;
        SELECT name FROM Receipt ORDER BY _sort_tax DESC LIMIT 1;
        SELECT count(*) FROM sqlite_master WHERE sql LIKE '%larder\\_%(%' ESCAPE '\\' AND name NOT LIKE '\\_larder%' ESCAPE '\\'
        """, on: store.file) == "ok\ny\n0\n")
    let found = try await container.newContext().perform { objects in
      try objects.fetch(Receipt.self, where: { $0.price > 3 }).map(\.price)
    }
    #expect(found == [3.5])
  }

  @Test func `opening a store of the first format fails and leaves it unchanged`() async throws {
    _ = try await store.open(Receipt.self)
    try await SQLiteShell.run("PRAGMA user_version=1", on: store.file)
    await #expect {
      try await store.open(Receipt.self)
    } throws: { error in
      guard case .cannotOpen(let failure) = error as? PersistenceError else { return false }
      return failure.reason == .tooOld && "\(error)".contains("older version")
    }
    #expect(try await SQLiteShell.run("PRAGMA user_version; SELECT count(*) FROM Receipt", on: store.file) == "1\n0\n")
  }
}
