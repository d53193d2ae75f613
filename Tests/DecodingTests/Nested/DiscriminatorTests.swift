import Foundation
import Testing

@testable import Decoding

private protocol Animal: Codable, Sendable {
  var name: String { get }
}

private struct Cat: Animal, Equatable {
  var name: String
  var lives = 9
}

private struct Dog: Animal, Equatable {
  var name: String
  var type = "overwritten"
}

private struct Stranger: Animal {
  var name = "stranger"
  var raw: RawJSON
}

private enum Pet: Codable, Equatable {
  case cat(Cat)
  case dog(Dog)
  case unknown(RawJSON)

  static let byType = Discriminator<Pet>(
    "type", cases: ["cat": .case(Pet.cat), "dog": .case(Pet.dog)], unknown: Pet.unknown)

  init(from decoder: any Decoder) throws { self = try decoder.nested().decode(at: "$", by: Pet.byType) }

  func encode(to encoder: any Encoder) throws { try encoder.nested().encode(self, at: "$", by: Pet.byType) }
}

private struct Household: Codable, Equatable {
  var pet: Pet
  var others: [Pet]?
  @LossyArray var pets: [Pet]
}

private enum Change: Equatable {
  case created(Cat)
  case deleted(Cat)
  case moved(animal: Cat)
  case other(Dog)

  static let byType = Discriminator<Change>(
    "kind",
    cases: [
      "new": .case(Change.created), "created": .case(Change.created), "deleted": .case(Change.deleted),
      "moved": .case { Change.moved(animal: $0) },
    ], unknown: { _ in Change.other(Dog(name: "")) })
}

@Suite struct DiscriminatorTests {
  @Test func `enum cases with the same payload type keep their own discriminators`() throws {
    struct Written: Encodable {
      let change: Change
      func encode(to encoder: any Encoder) throws { try encoder.nested().encode(change, at: "$", by: Change.byType) }
    }
    let cat = Cat(name: "Tom")
    for (change, text) in [
      (Change.created(cat), "created"), (.deleted(cat), "deleted"), (.moved(animal: cat), "moved"),
    ] {
      let encoded = try JSONBytesEncoder().encode(Written(change: change))
      #expect(try JSONBytesDecoder().decode([String: JSONValue].self, from: encoded)["kind"] == .string(text))
    }
    #expect(throws: EncodingError.self) { try JSONBytesEncoder().encode(Written(change: .other(Dog(name: "Rex")))) }
  }

  /// What a closure decodes.
  private struct Read<Value>: DecodableWithConfiguration {
    let value: Value
    init(from decoder: any Decoder, configuration: (NestedDecoder) throws -> Value) throws {
      value = try configuration(try decoder.nested())
    }
  }

  private static let text =
    #"{"pet":{"type":"cat","name":"Tom","lives":7},"none":null,"pets":[{"type":"dog","name":"Rex"},{"type":"fish","fins":2.0},{"name":"?"},{"type":"cat","lives":1},4]}"#

  /// The same on both decoders.
  private func read<Value>(_ body: @escaping (NestedDecoder) throws -> Value) throws -> [Value] {
    let data = Data(Self.text.utf8)
    return [
      try JSONBytesDecoder().decode(Read<Value>.self, from: data, configuration: body).value,
      try JSONDecoder().decode(Read<Value>.self, from: data, configuration: body).value,
    ]
  }

  private func failures(_ body: @escaping (NestedDecoder) throws -> Any) -> [any Error] {
    let data = Data(Self.text.utf8)
    let outcomes = [
      Result { try JSONBytesDecoder().decode(Read<Any>.self, from: data, configuration: body) },
      Result { try JSONDecoder().decode(Read<Any>.self, from: data, configuration: body) },
    ]
    return outcomes.compactMap { if case .failure(let error) = $0 { error } else { nil } }
  }

  @Test func `a value is decoded as the type that its discriminator names`() throws {
    for animal in try read({
      try $0.decode(at: "pet", by: Discriminator<any Animal>("type", ["cat": Cat.self, "dog": Dog.self]))
    }) {
      #expect(animal as? Cat == Cat(name: "Tom", lives: 7))
    }
    for pet in try read({ try $0.decode(at: "pet", by: Pet.byType) }) {
      #expect(pet == .cat(Cat(name: "Tom", lives: 7)))
    }
    for pet in try read({ try $0.decodeIfPresent(at: "none", by: Pet.byType) }) { #expect(pet == nil) }
    for pet in try read({ try $0.decodeIfPresent(at: "missing", by: Pet.byType) }) { #expect(pet == nil) }
  }

  @Test func `arrays keep unknown types, and lossy arrays report what they drop`() throws {
    for lossy in try read({ try $0.decodeLossy(at: "pets", by: Pet.byType) }) {
      guard case .unknown(let raw)? = lossy.values.last else {
        Issue.record("\(lossy.values)")
        continue
      }
      #expect(try lossy.values.count == 2 && raw.decode(Double.self, at: "fins") == 2)
      #expect(lossy.drops.map(\.index) == [2, 3, 4])
      #expect(lossy.drops.map(\.path).prefix(2) == ["pets[2]", "pets[3]"])
    }
    for lossy in try read({
      try $0.decodeLossy(at: "pets[*]", by: Discriminator<any Animal>("type", ["cat": Cat.self, "dog": Dog.self]))
    }) {
      #expect(lossy.values.map(\.name) == ["Rex"] && lossy.drops.map(\.index) == [1, 2, 3, 4])
    }
    for all in try read({
      try $0.decodeAll(at: "pets[:2]", by: Discriminator<any Animal>("type", ["dog": Dog.self]) { Stranger(raw: $0) })
    }) {
      #expect(all.map(\.name) == ["Rex", "stranger"])
    }
    #expect(failures { try $0.decodeAll(at: "pets[*]", by: Pet.byType) }.count == 2)
    #expect(failures { try $0.decodeLossy(at: "pets", by: Pet.byType, allowing: .count(2)) }.count == 2)
  }

  @Test func `a discriminator error names the known types, a missing member or a mismatch`() throws {
    for error in failures({
      try $0.decode(at: "pets[1]", by: Discriminator<any Animal>("type", ["dog": Dog.self, "cat": Cat.self]))
    }) {
      #expect(error.underlying as? UnknownCaseError == UnknownCaseError(found: "fish", known: ["cat", "dog"]))
      if let failure = error as? LocatedDecodingError { #expect(failure.expected == "one of cat, dog") }
      guard case .dataCorrupted(let context)? = error.asDecodingError else { continue }
      #expect(JSONPath(codingPath: context.codingPath) == "pets[1].type" && !"\(context)".contains("fish"))
    }
    for error in failures({ try $0.decode(at: "pets[2]", by: Pet.byType) }) {
      guard case .keyNotFound(let key, _)? = error.asDecodingError else {
        Issue.record("\(error)")
        continue
      }
      #expect(key.stringValue == "type")
    }
    for error in failures({ try $0.decode(at: "pets[0]", by: Discriminator<Cat>("type", ["dog": Dog.self])) }) {
      guard case .dataCorrupted(let context)? = error.asDecodingError else {
        Issue.record("\(error)")
        continue
      }
      #expect(context.debugDescription == "Expected the discriminator's type to be Cat, not Dog.")
      guard let failure = error as? LocatedDecodingError else { continue }
      #expect(
        "\(failure)".hasPrefix("$['pets'][0]: expected the discriminator's type to be Cat, not Dog at line"))
    }
    for error in failures({ try $0.decode(at: "pets[0]", by: Discriminator<Int>("type", ["dog": Dog.self])) }) {
      #expect("\(error)".contains("xpected the discriminator's type to be Int, not Dog"))
    }
    #expect(failures { try $0.decode(at: "pets[4]", by: Pet.byType) }.count == 2)
    #expect(failures { try $0.decode(at: "pets", by: Pet.byType) }.count == 2)
  }

  @Test(arguments: TestedDecoder.all) func `an enum with a discriminator is decoded like any other type`(
    decoder: TestedDecoder
  ) throws {
    let household = try decoder.decode(Household.self, Self.text)
    #expect(household.pet == .cat(Cat(name: "Tom", lives: 7)) && household.others == nil)
    #expect(household.pets.count == 2 && household.$pets.map(\.index) == [2, 3, 4])
    let encoded = try household.encoded
    #expect(encoded["pet"] == ["type": "cat", "name": "Tom", "lives": 7])
    #expect(encoded["pets"] == [["type": "dog", "name": "Rex"], ["type": "fish", "fins": 2]])
    #expect(try decoder.decode(Household.self, encoded.description).pets.first == household.pets.first)
  }

  @Test func `a discriminator may be a number or a nested member`() throws {
    struct Deep: Decodable, Sendable {
      var kind: [String: Int]
    }
    let byKind = Discriminator<any Sendable & Decodable>("kind.id", ["7": Deep.self])
    let text = Data(#"[{"kind":{"id":7}}]"#.utf8)
    for decoded in [
      try JSONBytesDecoder().decode(
        Read<any Sendable & Decodable>.self, from: text, configuration: { try $0.decode(at: "[0]", by: byKind) }
      ).value,
      try JSONDecoder().decode(
        Read<any Sendable & Decodable>.self, from: text, configuration: { try $0.decode(at: "[0]", by: byKind) }
      ).value,
    ] { #expect((decoded as? Deep)?.kind == ["id": 7]) }
  }

  private struct Owner: Encodable {
    var body: @Sendable (NestedEncoder) throws -> Void
    func encode(to encoder: any Encoder) throws { try body(encoder.nested()) }
  }

  /// Why a body does not encode.
  private func message(_ body: @escaping @Sendable (NestedEncoder) throws -> Void) -> String? {
    do {
      _ = try JSONBytesEncoder().encode(Owner(body: body))
      return nil
    } catch EncodingError.invalidValue(_, let context) {
      return context.debugDescription
    } catch {
      return "\(error)"
    }
  }

  @Test func `encoding writes the discriminator`() throws {
    let raw = try RawJSON(Data(#"{"type":"fish","fins":2}"#.utf8))
    let owner = Owner { json in
      try json.encode(.cat(Cat(name: "Tom")), at: "a.pet", by: Pet.byType)
      try json.encodeAll([.dog(Dog(name: "Rex")), .unknown(raw)], at: "pets", by: Pet.byType)
      try json.encode(Dog(name: "Rex"), at: "x", by: Discriminator<any Animal>("kind.id", ["7": Dog.self]))
    }
    #expect(
      try owner.encoded == [
        "a": ["pet": ["type": "cat", "name": "Tom", "lives": 9]],
        "pets": [["type": "dog", "name": "Rex"], ["type": "fish", "fins": 2]],
        "x": ["kind": ["id": "7"], "name": "Rex", "type": "overwritten"],
      ])
    let byCat = Discriminator<any Animal>("type", ["cat": Cat.self, "tom": Cat.self, "any": Stranger.self])
    #expect(
      message { try $0.encode(Dog(name: "Rex"), at: "x", by: byCat) }
        == "Expected one of the discriminator's types, Cat, Stranger, found Dog.")
    #expect(
      message { try $0.encode(Change.other(Dog(name: "Rex")), at: "x", by: Change.byType) }
        == "Expected one of the discriminator's types, Cat, found Change.other.")
    struct Unwritable: Decodable, Sendable {}
    let byRead = Discriminator<Unwritable>("type", ["a": Unwritable.self])
    #expect(
      message { try $0.encode(Unwritable(), at: "x", by: byRead) } == "Unwritable is not Encodable.")
    let byNumber = Discriminator<Int>("type", ["int": Int.self])
    #expect(
      message { try $0.encode(1, at: "x", by: byNumber) }
        == "Expected a value that is encoded as an object, found Int.")
  }

  private struct Film: Codable, Equatable { var minutes: Int }
  private enum Length: Equatable {
    case short(Film), long(Film)
    static let byType = Discriminator<Length>(
      "type", cases: ["film": .case { $0.minutes < 30 ? Length.short($0) : .long($0) }])
  }

  @Test func `a function that makes several cases from one type encodes each of them`() throws {
    struct Box: Encodable {
      let length: Length
      func encode(to encoder: any Encoder) throws { try encoder.nested().encode(length, at: "$", by: Length.byType) }
    }
    for minutes in [90, 10, 90, 20] {
      let film = Film(minutes: minutes)
      let data = try JSONBytesEncoder().encode(Box(length: minutes < 30 ? .short(film) : .long(film)))
      #expect(String(decoding: data, as: UTF8.self) == #"{"type":"film","minutes":\#(minutes)}"#)
    }
  }
}
