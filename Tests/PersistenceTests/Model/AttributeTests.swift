import Foundation
import Persistence
import Testing

@Suite struct AttributeTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  @Test func `every attribute type reads back the value that was stored`() async throws {
    let container = try await store.open(Everything.self)
    let date = Date(timeIntervalSinceReferenceDate: 0.1 + 0.2).roundedForStorage
    let uuid = UUID()
    let url = try #require(URL(string: "https://example.org/a%20b?c=d#e"))
    let decimal = try #require(Decimal(string: "-123456789012345678901234567890.12345678"))
    let text = "Fargo é e\u{301} 🎬 \u{0} ' \" ; --"
    let id = try await container.newContext().persist { objects in
      let it = objects.insert(Everything.self)
      it.bool = true
      it.int = .min
      it.int8 = -128
      it.int16 = -32768
      it.int32 = .max
      it.int64 = .max
      it.uint = 5
      it.uint8 = 255
      it.uint16 = 65535
      it.uint32 = .max
      it.uint64 = UInt64(Int64.max)
      it.double = -.infinity
      it.float = 0.1
      it.string = text
      it.data = Data([0, 255, 0])
      it.date = date
      it.uuid = uuid
      it.url = url
      it.decimal = decimal
      it.kind = .series
      it.level = .high
      it.address = Address(street: "Elm", numbers: [1, 2])
      it.maybeBool = false
      it.maybeInt = 0
      it.maybeInt8 = 0
      it.maybeInt64 = 0
      it.maybeUInt64 = 0
      it.maybeDouble = -0.0
      it.maybeFloat = 0
      it.maybeString = ""
      it.maybeData = Data()
      it.maybeDate = date
      it.maybeUUID = uuid
      it.maybeURL = url
      it.maybeDecimal = decimal
      it.maybeKind = .film
      it.maybeAddress = Address()
      return it.id
    }
    try await container.newContext().perform { objects in
      let it = try objects.object(id)
      #expect(
        it.bool && it.int == .min && it.int8 == -128 && it.int16 == -32768 && it.int32 == .max && it.int64 == .max)
      #expect(it.uint == 5 && it.uint8 == 255 && it.uint16 == 65535 && it.uint32 == .max)
      #expect(it.uint64 == UInt64(Int64.max))
      #expect(it.double == -.infinity && it.float == 0.1 && it.string == text && it.data == Data([0, 255, 0]))
      #expect(it.date == date && it.uuid == uuid && it.url == url && it.decimal == decimal)
      #expect(it.kind == .series && it.level == .high && it.address == Address(street: "Elm", numbers: [1, 2]))
      #expect(it.maybeBool == false && it.maybeInt == 0 && it.maybeInt8 == 0 && it.maybeInt64 == 0)
      #expect(it.maybeUInt64 == 0 && it.maybeDouble == 0 && it.maybeFloat == 0)
      #expect(it.maybeString == "" && it.maybeData == Data() && it.maybeDate == date && it.maybeUUID == uuid)
      #expect(it.maybeURL == url && it.maybeDecimal == decimal && it.maybeKind == .film)
      #expect(it.maybeAddress == Address())
    }
  }

  @Test func `an optional attribute without a value reads back as nil`() async throws {
    let container = try await store.open(Everything.self)
    let id = try await container.newContext().persist { $0.insert(Everything.self).id }
    try await container.newContext().perform { objects in
      let it = try objects.object(id)
      #expect(it.maybeBool == nil && it.maybeInt == nil && it.maybeInt8 == nil && it.maybeInt64 == nil)
      #expect(it.maybeUInt64 == nil && it.maybeDouble == nil && it.maybeFloat == nil && it.maybeString == nil)
      #expect(it.maybeData == nil && it.maybeDate == nil && it.maybeUUID == nil && it.maybeURL == nil)
      #expect(it.maybeDecimal == nil && it.maybeKind == nil && it.maybeAddress == nil)
      #expect(it.string == "" && it.data == Data() && it.kind == .film)
    }
  }

  @Test(arguments: [Double.nan, -.nan, .signalingNaN])
  func `saving NaN in a Double or Float fails, names the attribute and stores nothing`(_ value: Double) async throws {
    let container = try await store.open(Everything.self)
    let context = container.newContext()
    for assign in [{ $0.double = value }, { $0.maybeDouble = value }, { $0.float = Float(value) }]
      as [@Sendable (Everything) -> Void]
    {
      await #expect {
        try await context.persist { assign($0.insert(Everything.self)) }
      } throws: { error in
        guard case .invalidValue(let value) = error as? PersistenceError else { return false }
        return value.type == "Everything" && ["double", "maybeDouble", "float"].contains(value.attribute)
      }
    }
    #expect(try await context.perform { try $0.count(Everything.self) } == 0)
  }

  @Test func `saving NaN in a Date, Decimal or optional Float fails and names the attribute`() async throws {
    let context = try await store.open(Everything.self).newContext()
    let assignments: [(String, @Sendable (Everything) -> Void)] = [
      ("date", { $0.date = Date(timeIntervalSinceReferenceDate: .nan) }), ("decimal", { $0.decimal = .nan }),
      ("maybeDate", { $0.maybeDate = Date(timeIntervalSinceReferenceDate: .nan) }),
      ("maybeDecimal", { $0.maybeDecimal = .nan }), ("maybeFloat", { $0.maybeFloat = .nan }),
    ]
    for (attribute, assign) in assignments {
      await #expect {
        try await context.persist { assign($0.insert(Everything.self)) }
      } throws: { error in
        guard case .invalidValue(let value) = error as? PersistenceError else { return false }
        return value.attribute == attribute && value.reason.contains("NaN")
      }
    }
  }

  @Test func `decimals at their limits read back exactly`() async throws {
    let container = try await store.open(Everything.self)
    let digits = try #require(Decimal(string: "340282366920938463463374607431768211455"))
    var values = [Decimal.greatestFiniteMagnitude, .leastNonzeroMagnitude, digits]
    values += [-128, 127].map { Decimal(sign: .plus, exponent: $0, significand: digits) }
    values += [-128, -1, 0, 1, 127].map { Decimal(sign: .plus, exponent: $0, significand: 1) }
    values += values.map { -$0 }
    let ids = try await container.newContext().persist { [values] objects in
      values.map { value in
        let it = objects.insert(Everything.self)
        it.decimal = value
        return it.id
      }
    }
    let found = try await container.newContext().perform { objects in try ids.map { try objects.object($0).decimal } }
    #expect(found == values)
  }

  @Test func `saving a UInt64 above the maximum of Int64 fails and names the attribute`() async throws {
    let context = try await store.open(Everything.self).newContext()
    await #expect {
      try await context.persist { $0.insert(Everything.self).uint64 = .max }
    } throws: { error in
      guard case .invalidValue(let value) = error as? PersistenceError else { return false }
      return value.attribute == "uint64" && value.reason.contains("Int64.max")
    }
  }

  @Test func `ten megabytes of data and of text read back unchanged`() async throws {
    let container = try await store.open(Everything.self)
    let data = Data((0..<10_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let text = String(repeating: "é0123456", count: 1_111_111)
    let id = try await container.newContext().persist { objects in
      let it = objects.insert(Everything.self)
      it.data = data
      it.string = text
      return it.id
    }
    try await container.newContext().perform { objects in
      let it = try objects.object(id)
      #expect(it.data == data)
      #expect(it.string == text)
    }
  }

  @Test func `the store sorts decimals as numbers`() async throws {
    let context = try await store.open(Everything.self).newContext()
    let texts = [
      "-1e30", "-100", "-99.5", "-99.05", "-1", "-0.5", "-0.05", "0", "1e-20", "0.05", "0.5", "1", "9", "10", "10.5",
      "1e30",
    ]
    let expected = texts.compactMap { Decimal(string: $0) }
    try await context.persist { objects in
      for value in expected.shuffled() { objects.insert(Everything.self).decimal = value }
    }
    let sorted = try await context.perform { objects in
      try objects.fetch(Everything.self, sort: [.ascending(\.decimal)]).map(\.decimal)
    }
    #expect(sorted == expected)
  }
}
