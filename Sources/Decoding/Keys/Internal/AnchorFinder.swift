internal import Synchronization

/// Finds the anchor of a keyed container if the container is this module's, so that a path is followed in one step.
///
/// A keyed container is one reference, to a box of a class that depends on the container inside; see
/// ``object(of:)``. The box of a container of this module has nothing but the reference to its anchor behind the header
/// of two words. That is not documented, so it is read only from boxes of a class of which one box has been compared
/// with the anchor that the container itself reported. For any other layout, and for the containers of other coders,
/// there is no anchor. The class met last is known by one comparison.
struct AnchorFinder<Anchor: AnyObject>: ~Copyable, Sendable {
  private let known = Atomic<UInt>(0)
  private let foreign = Atomic<UInt>(0)

  /// - Parameter ask: Returns the anchor that the container reports.
  @inline(__always)
  func anchor<Container>(of container: Container, ask: () -> AnyObject?) -> Anchor? {
    guard MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size else { return nil }
    let box = object(of: container)
    let type = UInt(bitPattern: ObjectIdentifier(type(of: box)))
    if type == known.load(ordering: .relaxed) { return unsafeDowncast(Self.content(of: box), to: Anchor.self) }
    return type == foreign.load(ordering: .relaxed) ? nil : compare(box, type, ask)
  }

  @inline(never)
  private func compare(_ box: AnyObject, _ type: UInt, _ ask: () -> AnyObject?) -> Anchor? {
    let isOurs = knownTypes.withLock { $0[type] } ?? Self.isAsExpected(box, ask)
    knownTypes.withLock { $0[type] = isOurs }
    if isOurs { known.store(type, ordering: .relaxed) } else { foreign.store(type, ordering: .relaxed) }
    return isOurs ? unsafeDowncast(Self.content(of: box), to: Anchor.self) : nil
  }

  private static func isAsExpected(_ box: AnyObject, _ ask: () -> AnyObject?) -> Bool {
    // Other coders are not asked: they would create the nested container with which ours report the anchor.
    guard String(reflecting: type(of: box)).contains("Decoding.KeyedBytes"), let anchor = ask() as? Anchor else {
      return false
    }
    return address(of: box) == Unmanaged.passUnretained(anchor).toOpaque()
  }

  private static var offset: Int { 2 * MemoryLayout<UInt>.size }

  private static func address(of box: AnyObject) -> UnsafeMutableRawPointer? {
    Unmanaged.passUnretained(box).toOpaque().load(fromByteOffset: offset, as: UnsafeMutableRawPointer?.self)
  }

  @inline(__always)
  private static func content(of box: AnyObject) -> AnyObject {
    Unmanaged.passUnretained(box).toOpaque().load(fromByteOffset: offset, as: AnyObject.self)
  }
}

/// Whether the boxes of a type are as expected, by the type's address; types are never unloaded.
private let knownTypes = Lock<[UInt: Bool]>([:])
