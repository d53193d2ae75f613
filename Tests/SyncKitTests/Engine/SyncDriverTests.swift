import Foundation
import LarderTestSupport
import Persistence
import SyncTesting
import Testing

@testable import SyncKit

/// Two containers in step with one API, over files and tasks.
@Suite(.timeLimit(.minutes(5))) struct SyncDriverTests {
  @Test func `what one device inserts, changes and deletes arrives on another one`() async throws {
    let server = LossyServer()
    let (one, two) = (try await Device(server), try await Device(server))
    try await one.driver.start()
    try await two.driver.start()
    try await one.context.persist { objects in
      let list = objects.insert(TestList.self)
      list.name = "Films"
      let item = objects.insert(TestItem.self)
      (item.name, item.list) = ("Fargo", list)
    }
    await one.driver.synchronize()
    await two.driver.synchronize()
    #expect(try await two.items() == ["Fargo of Films"])
    try await two.context.persist { try $0.fetch(TestItem.self).first?.name = "Brazil" }
    await two.driver.synchronize()
    await one.driver.synchronize()
    #expect(try await one.items() == ["Brazil of Films"])
    try await one.context.persist { objects in
      for item in try objects.fetch(TestItem.self) { objects.delete(item) }
    }
    await one.driver.synchronize()
    await two.driver.synchronize()
    #expect(try await two.items() == [])
    #expect(await server.contents.map(\.entity) == [0])
    await one.remove()
    await two.remove()
  }

  @Test func `an object that is in memory has the values that arrive`() async throws {
    let server = LossyServer()
    let (one, two) = (try await Device(server), try await Device(server))
    try await one.driver.start()
    try await two.driver.start()
    try await one.context.persist { $0.insert(TestList.self).name = "before" }
    await one.driver.synchronize()
    await two.driver.synchronize()
    let view = two.container.viewContext
    let seen = try await MainActor.run { try view.fetch(TestList.self).map(\.name) }
    #expect(seen == ["before"])
    try await one.context.persist { try $0.fetch(TestList.self).first?.name = "after" }
    await one.driver.synchronize()
    await two.driver.synchronize()
    let later = try await MainActor.run { try view.fetch(TestList.self).map(\.name) }
    #expect(later == ["after"])
    await one.remove()
    await two.remove()
  }

  @Test func `an API that fails before and after it does what was asked loses and doubles nothing`() async throws {
    let environment = ProcessInfo.processInfo.environment
    let first = environment["LARDER_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1_000_000)
    print("lossy API: first seed \(first)")
    for seed in first..<first + (environment["LARDER_SIMULATION"].flatMap { UInt64($0) } ?? 5) {
      try await synchronizeLossy(seed)
    }
  }

  private func synchronizeLossy(_ seed: UInt64) async throws {
    var random = SplitMix(seed: seed)
    let server = LossyServer(seed: seed, isLossy: true)
    let devices = [try await Device(server), try await Device(server)]
    for device in devices { try await device.driver.start() }
    for step in 0..<60 {
      let device = devices.randomElement(using: &random)!
      let choice = Int.random(in: 0..<10, using: &random)
      switch choice {
      case 0..<4:
        try await device.context.persist { objects in
          let list = try objects.fetch(TestList.self).first ?? objects.insert(TestList.self)
          if list.name == nil { list.name = "list \(step)" }
          let item = objects.insert(TestItem.self)
          (item.name, item.list) = ("item \(step)", list)
        }
      case 4..<6:
        try await device.context.persist { try $0.fetch(TestItem.self).last?.text = "text \(step)" }
      case 6:
        try await device.context.persist { objects in
          if let item = try objects.fetch(TestItem.self).first { objects.delete(item) }
        }
      case 7:
        await device.driver.stop()
        try await device.driver.start()
      default: await device.driver.synchronize()
      }
    }
    await server.heal()
    for _ in 0..<3 { for device in devices { await device.restartAndSynchronize() } }
    let (first, second) = (try await devices[0].items(), try await devices[1].items())
    #expect(first == second, "seed \(seed)")
    #expect(Set(first).count == first.count, "seed \(seed)")
    #expect(await server.contents.filter { $0.entity == 1 }.count == first.count, "seed \(seed)")
    #expect(await server.doubles.isEmpty, "seed \(seed)")
    for device in devices { await device.remove() }
  }
}

/// An app with a store and a driver.
private struct Device {
  let container: PersistentContainer
  let context: ObjectContext
  let driver: SyncDriver
  private let folder: URL

  init(_ api: LossyServer) async throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "larder-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let classes = [
      SyncedClass(TestList.self, key: \.number, created: .idempotencyKey),
      SyncedClass(TestItem.self, key: \.number, created: .idempotencyKey),
    ]
    let schema = Schema(TestList.self, TestItem.self).synchronizing(classes)
    container = try await PersistentContainer(at: .file(folder.appending(path: "rows.store")), schema: schema)
    context = container.newContext()
    // Later attempts are made when the test asks for them.
    driver = try SyncDriver(
      container, classes, with: MemoryRemote(api, device: await api.nextDevice()),
      pause: MemoryAPI.noLaterAttempts)
  }

  func items() async throws -> [String] {
    try await context.perform { objects in
      try objects.fetch(TestItem.self).map { "\($0.name ?? "-") of \($0.list?.name ?? "-")" }.sorted()
    }
  }

  /// Without what failures have delayed.
  func restartAndSynchronize() async {
    await driver.stop()
    try? await driver.start()
    await driver.synchronize()
  }

  func remove() async {
    await driver.stop()
    await container.close()
    try? FileManager.default.removeItem(at: folder)
  }
}

/// A ``MemoryServer`` for several devices, which may fail before or after it has done what was asked.
private actor LossyServer {
  struct Lost: Error {}

  private var server: MemoryServer
  private var random: SplitMix
  private var isLossy: Bool
  private var devices = 0
  /// The server of tests reads the device from the number of a push.
  private var numbers: [Int64: Int] = [:]

  init(seed: UInt64 = 0, isLossy: Bool = false) {
    let model = SyncModel([
      SyncClass(
        "TestList", [.init("name"), .init("text"), .init("parent", target: 0)], settling: .idempotencyKey),
      SyncClass("TestItem", [.init("name"), .init("text"), .init("list", target: 0)], settling: .idempotencyKey),
    ])
    server = MemoryServer(model, MemoryServer.Abilities())
    random = SplitMix(seed: seed &+ 1)
    self.isLossy = isLossy
  }

  func nextDevice() -> Int {
    devices += 1
    return devices
  }

  func heal() { isLossy = false }

  var contents: [RemoteName] { Array(server.rows.keys) }

  var doubles: [MemoryServer.Creation] { server.doubles }

  func page(after position: String?) throws -> Page {
    try lose()
    return server.page(after: position)
  }

  func push(_ request: PushRequest, from device: Int) throws -> [RowID: Outcome] {
    try lose()
    // As an idempotency key does, the number says which device it is.
    var own = request
    let number = numbers[request.push] ?? numbers.count + 1
    numbers[request.push] = number
    own.push = Int64(number) + Int64(device) * 1_000_000
    let outcomes = server.push(own, isRejecting: false)
    try lose()
    return outcomes
  }

  private func lose() throws { if isLossy, Int.random(in: 0..<4, using: &random) == 0 { throw Lost() } }
}

private struct MemoryRemote: DriverRemote {
  let api: LossyServer
  let device: Int

  init(_ api: LossyServer, device: Int) { (self.api, self.device) = (api, device) }

  var capabilities: RemoteCapabilities { RemoteCapabilities() }
  var scopes: [String] { ["all"] }

  func pull(_ scope: String, after position: String?) async throws -> Page { try await api.page(after: position) }

  func push(_ batch: PushRequest, _ attempt: PushAttempt) async throws {
    try await attempt.record(api.push(batch, from: device))
  }
}
