// Another process for the tests: it writes until it is killed, counts at the same time as others, follows their
// commits, or runs out of memory.
import CLarderFaults
import Foundation
import Persistence

final class Left: ManagedObject {
  @Attribute var number = 0
  @Attribute var text = ""
}

final class Right: ManagedObject {
  @Attribute(.unique) var number: Int?
}

final class Counter: ManagedObject {
  @Attribute var value = 0
}

let arguments = CommandLine.arguments
guard arguments.count >= 3 else {
  FileHandle.standardError.write(
    Data("usage: write|read|grow|bulk|count|save|follow|memory|migrate STORE [N [NAME]]\n".utf8))
  exit(2)
}
let url = URL(filePath: arguments[2])
let schema = Schema(Left.self, Right.self, Counter.self)

/// A migration reports its progress on one thread; the count is read when the migration has ended.
final class ProgressCounter: @unchecked Sendable {
  private var count = 0

  func next() -> Int {
    count += 1
    return count
  }
}

/// A change of two tables in one transaction.
@Sendable func insert(_ number: Int, _ objects: ObjectSpace) {
  let left = objects.insert(Left.self)
  left.number = number
  left.text = String(repeating: "\(number) ", count: 100)
  objects.insert(Right.self).number = number
}

switch arguments[1] {
case "write":
  // Until killed; prints each number once it is committed.
  let context = try await PersistentContainer(at: .file(url), schema: schema).newContext()
  var number = try await context.perform { try $0.count(Left.self) }
  while true {
    let next = number
    try await context.persist { insert(next, $0) }
    number += 1
    FileHandle.standardOutput.write(Data("\(next)\n".utf8))
  }
case "count":
  let count = arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0
  let context = try await PersistentContainer(at: .file(url), schema: schema).newContext()
  for _ in 0..<count {
    try await context.persist { objects in
      let counter = try objects.fetch(Counter.self).first ?? objects.insert(Counter.self)
      counter.value += 1
      objects.insert(Left.self).number = counter.value
    }
  }
case "grow":
  // N commits of some 50 pages each.
  let count = arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0
  let container = try await PersistentContainer(at: .file(url), schema: schema) { $0.busyTimeout = .seconds(120) }
  let context = container.newContext()
  let id = try await context.persist { $0.insert(Left.self).id }
  for round in 0..<count {
    try await context.persist { try $0.object(id).text = String(repeating: "\(round % 10)", count: 200_000) }
  }
case "read":
  // As a user without write permission.
  if geteuid() == 0, setuid(65_534) != 0 { exit(3) }
  let container = try await PersistentContainer(at: .file(url), schema: schema)
  print("reads only: \(container.isReadOnly)")
  let context = container.newContext()
  print("\(try await context.perform { try $0.count(Left.self) }) objects")
  do { try await context.persist { insert(99, $0) } } catch { print("writing: \(error)") }
case "bulk":
  // Until killed: commits that import, update and delete without objects.
  let context = try await PersistentContainer(at: .file(url), schema: schema).newContext()
  var number = try await context.perform { try $0.fetch(Left.self, limit: 1).first.map { $0.number + 1 } ?? 0 }
  while true {
    let next = number
    try await context.persist { objects in
      if next == 0 { for _ in 0..<20 { _ = objects.insert(Left.self) } }
      let fields: [ImportField<Right, Int>] = [.set(\.number) { $0 }]
      _ = try objects.import(next * 50..<next * 50 + 50, into: Right.self, matching: \.number, fields)
      _ = try objects.update(Left.self, set: [.set(\.number, to: next)])
      _ = try objects.delete(Right.self, where: { $0.number < next * 50 - 100 })
    }
    number += 1
    FileHandle.standardOutput.write(Data("\(next)\n".utf8))
  }
case "save":
  // N commits, each with a new object and an update of an object that all processes share.
  let count = arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0
  let name = arguments.count > 4 ? arguments[4] : ""
  let context = try await PersistentContainer(at: .file(url), schema: schema) { $0.history = .kept() }.newContext()
  for number in 0..<count {
    try await context.persist { objects in
      let counter = try objects.fetch(Counter.self).first ?? objects.insert(Counter.self)
      counter.value += 1
      let left = objects.insert(Left.self)
      (left.number, left.text) = (number, name)
    }
  }
case "follow":
  // Until there are N objects.
  try await follow(until: arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0)
case "migrate":
  // Kills itself at the N-th progress report.
  let end = arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0
  let counter = ProgressCounter()
  _ = try await PersistentContainer(at: .file(url), schema: V3.schema) { configuration in
    configuration.onMigrationProgress = { _ in if counter.next() == end { kill(getpid(), SIGKILL) } }
  }
  print("\(counter.next() - 1) pieces of progress")
case "memory":
  guard cfaults_install_allocator() == 0 else { exit(3) }
  try await runOutOfMemory()
default: exit(2)
}

/// Lets each allocation of SQLite fail in turn. Afterwards a store must be consistent and have all confirmed
/// commits.
func runOutOfMemory() async throws {
  var allocation: Int64 = 1
  var errors = 0
  while true {
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
    cfaults_fail_allocation(allocation)
    var committed = 0
    do {
      let container = try await PersistentContainer(at: .file(url), schema: schema)
      let context = container.newContext()
      for number in 0..<4 {
        try await context.persist { insert(number, $0) }
        committed += 1
      }
      _ = try await context.perform { try $0.fetch(Left.self, sort: [.descending(\.number)]).count }
    } catch {
      errors += 1
    }
    let failed = cfaults_allocation_failed() != 0
    cfaults_fail_allocation(0)
    let context = try await PersistentContainer(at: .file(url), schema: schema).newContext()
    let (left, right) = try await context.perform { (try $0.count(Left.self), try $0.count(Right.self)) }
    guard left == right, left == committed || left == committed + 1 else {
      print("broken at \(allocation): \(left) and \(right) after \(committed)")
      exit(1)
    }
    if !failed { break }
    // Each of the first hundred, then every eleventh.
    allocation += allocation < 100 ? 1 : 11
  }
  print("\(allocation) allocations, \(errors) errors")
}

/// Follows other processes' commits in every available way, and compares the outcomes.
func follow(until count: Int) async throws {
  let container = try await PersistentContainer(at: .file(url), schema: schema) { configuration in
    configuration.pollInterval = .milliseconds(2)
  }
  let request = FetchDescriptor(Left.self, sort: [.descending(\.number), .ascending(\.text)])
  let results = try await container.results(request)
  let context = container.newContext()
  let held = HeldCounter()
  var (token, told): (HistoryToken, [ObjectID<Left>]) = try await context.perform { objects in
    held.counter = try objects.fetch(Counter.self).first
    return (try objects.historyToken(), try objects.fetchIDs(FetchDescriptor(Left.self)))
  }
  print("ready")
  fflush(nil)
  var last: [String: Int] = [:]
  var commits = 0
  var sections: [[ObjectID<Left>]] = []
  var isFirst = true
  for await update in results.updates {
    if isFirst { sections = update.snapshot.idsBySection } else { update.difference.apply(to: &sections) }
    isFirst = false
    guard sections == update.snapshot.idsBySection else {
      throw Broken("a difference does not lead to its snapshot")
    }
    // The history
    guard case .changes(let sets, let next) = try await container.changes(since: token) else { throw Broken("expired") }
    token = next
    for set in sets {
      for change in set.changes(of: Left.self) {
        guard change.kind == .inserted, case .text(let name)? = change.attributes.last?.new,
          case .integer(let number)? = change.attributes.first?.new
        else { throw Broken("\(change)") }
        if number == 0 || last[name] == Int(number) - 1 {
          last[name] = Int(number)
        } else {
          throw Broken("out of order")
        }
        told.append(change.id)
      }
      commits += 1
    }
    if update.snapshot.count >= count { break }
  }
  guard told.count == count, Set(told).count == count, commits <= count else { throw Broken("\(told.count) reported") }
  // The context merges the last commit before the results change.
  let (known, stored, ids) = try await context.perform { objects in
    let known = held.counter?.value
    held.counter = nil
    return (known, try objects.fetch(Counter.self).first?.value, try objects.fetchIDs(request))
  }
  guard stored == count, known == nil || known == stored else { throw Broken("the counter is \(known ?? 0)") }
  guard ids == results.snapshot.map({ $0 }) else { throw Broken("the results differ from a fetch") }
  print("followed")
}

struct Broken: Error {
  let text: String

  init(_ text: String) { self.text = text }
}

/// `@unchecked Sendable`: used on one context's queue.
final class HeldCounter: @unchecked Sendable {
  var counter: Counter?
}
