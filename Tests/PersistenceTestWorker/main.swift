// Another process for the tests: it writes until it is killed, counts beside others, or runs out of memory.
import CFaults
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
  FileHandle.standardError.write(Data("usage: write|count|memory|migrate STORE [N]\n".utf8))
  exit(2)
}
let url = URL(filePath: arguments[2])
let schema = Schema(Left.self, Right.self, Counter.self)

/// A migration tells of its progress on one thread; the count is read when it is over.
final class ProgressCounter: @unchecked Sendable {
  private var count = 0

  func next() -> Int {
    count += 1
    return count
  }
}

/// One transaction that concerns two tables.
@Sendable func insert(_ number: Int, _ objects: ObjectSpace) {
  let left = objects.insert(Left.self)
  left.number = number
  left.text = String(repeating: "\(number) ", count: 100)
  objects.insert(Right.self).number = number
}

switch arguments[1] {
case "write":
  // Until killed; each number is told once it is committed.
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
case "migrate":
  // Kills itself at the N-th piece of progress.
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

/// Lets each allocation of SQLite fail in turn. Whatever is told, a store must be whole afterwards and hold what was told.
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
    // The first hundred one by one, then every eleventh.
    allocation += allocation < 100 ? 1 : 11
  }
  print("\(allocation) allocations, \(errors) errors")
}
