internal import Foundation

/// Resolves key paths to properties: reads the key path from a sample and observes which attribute is accessed.
///
/// Only the first lookup of a key path reads the sample. Later lookups find the result in a dictionary.
final class KeyPathIndex: @unchecked Sendable {
  // @unchecked: sample and dictionary are used only between `lock()` and `unlock()`. Key paths are immutable, and those
  // that capture values that are not Sendable do not lead to attributes. A model's computed properties are not
  // isolated, so reading them from the sample does what it would do on any thread.
  private let lock = NSLock()
  private let sample: ManagedObject
  private var known: [AnyKeyPath: EntityProperty?] = [:]

  init(_ sample: Sample) { self.sample = sample.object }

  func property(at keyPath: AnyKeyPath, in entity: Entity) -> EntityProperty? {
    lock.lock()
    defer { lock.unlock() }
    if let answer = known[keyPath] { return answer }
    let answer = find(keyPath, in: entity)
    // The number of possible key paths is unlimited if they contain subscripts.
    if known.count >= 4096 { known.removeAll() }
    known[keyPath] = .some(answer)
    return answer
  }

  private func find(_ keyPath: AnyKeyPath, in entity: Entity) -> EntityProperty? {
    guard entity.problems.isEmpty, !keyPath.hasSeveralComponents, let (slots, _) = read(keyPath), slots.count == 1
    else { return nil }
    let slot = slots[0]
    if slot == ObjectState.idSlot {
      // Only `id` has an object id as its type.
      return type(of: keyPath).valueType is any ObjectIDType.Type ? .id : nil
    }
    if slot >= Probe.relationBase {
      let relation = Int(slot &- Probe.relationBase)
      guard entity.toMany.indices.contains(relation) else { return nil }
      let relationship = entity.toMany[relation]
      return type(of: keyPath).valueType == relationship.declaration.valueType ? .toMany(relationship) : nil
    }
    let index = Int(slot)
    guard entity.columns.indices.contains(index) else { return nil }
    let column = entity.columns[index]
    guard type(of: keyPath).valueType == column.valueType else { return nil }
    if let relationship = entity.references[index] { return .toOne(relationship) }
    return isIdentity(keyPath, column) ? .attribute(index) : nil
  }

  /// Returns the slots that were read, and the value.
  private func read(_ keyPath: AnyKeyPath) -> ([UInt32], Any)? {
    let probe = Probe()
    var cursor = RowCursor(.probe, probe: probe)
    return cursor.whileCurrent { _ in
      guard let value = sample[keyPath: keyPath] else { return nil }
      return (probe.accesses, value)
    }
  }

  /// Whether the key path returns exactly the attribute's value. `\.title` does. `\.title.capitalized` does not, though
  /// it accesses the same attribute and has the same type.
  private func isIdentity(_ keyPath: AnyKeyPath, _ column: Column) -> Bool {
    let address = Unmanaged.passUnretained(sample).toOpaque() + column.offset
    let original = column.load(address)
    defer { _ = column.assign(address, original) }
    for test in KeyPathIndex.tests where column.assign(address, test) {
      let expected = column.load(address)
      guard let (_, value) = read(keyPath), column.encode(value) == expected else { return false }
    }
    return true
  }

  static let tests: [StoredValue] = [
    .integer(113), .integer(-77), .integer(1), .integer(0), .integer(.max), .integer(.min),
    .real(-3.7e-9), .real(12_345.678), .real(1e300), .real(-.infinity),
    .text(" aB ß\u{301}\u{0}\n"), .text(String(repeating: "aé🎬 ", count: 4096)), .text(""),
    .text(">5003.125"), .text("https://a.b:1/c/../D?e=%20f#g"),
    .text(#"["b","a","b"]"#), .text("[3,1,2,1]"), .text(#"{"b":"2","a":"1"}"#), .text(#"{"b":2,"a":1}"#),
    .blob(Data([0, 1, 2, 3, 250, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255])),
  ]
}

/// Distinguishes `ObjectID` from other types.
protocol ObjectIDType {}

extension ObjectID: ObjectIDType {}
