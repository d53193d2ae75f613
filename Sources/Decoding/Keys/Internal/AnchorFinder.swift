internal import Synchronization

/// Finds the anchor of a keyed container if the container is this module's, so that a path is followed in one step.
///
/// A keyed container is one reference, to a box of a class that depends on the container inside; see
/// ``object(of:)``. The box of a container of this module has nothing but the reference to its anchor behind the header
/// of two words. That is not documented, so it is read only from boxes of a class of which one box has been compared
/// with the anchor that the container itself reported. For any other layout, and for the containers of other coders,
/// there is no anchor.
///
/// `@unchecked Sendable`: the memory that `met` points to has only atomic words.
struct AnchorFinder<Anchor: AnyObject>: ~Copyable, @unchecked Sendable {
  /// The classes met last, by their addresses. The lowest bit of those that are as expected is set.
  private let met: UnsafeMutablePointer<Atomic<UInt>>

  init() {
    met = .allocate(capacity: slotCount)
    for slot in 0..<slotCount { (met + slot).initialize(to: Atomic(0)) }
  }

  deinit {
    met.deinitialize(count: slotCount)
    met.deallocate()
  }

  /// - Parameter ask: Returns the anchor that the container reports.
  @inline(__always)
  func anchor<Container>(of container: Container, ask: () -> AnyObject?) -> Anchor? {
    guard MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size else { return nil }
    let box = object(of: container)
    let type = UInt(bitPattern: ObjectIdentifier(type(of: box)))
    switch slot(of: type).pointee.load(ordering: .relaxed) {
    case type | 1: return unsafeDowncast(Self.content(of: box), to: Anchor.self)
    case type: return nil
    default: return compare(box, type, ask)
    }
  }

  @inline(__always)
  private func slot(of type: UInt) -> UnsafeMutablePointer<Atomic<UInt>> {
    met + Int((type >> 4 ^ type >> 10) & UInt(slotCount - 1))
  }

  @inline(never)
  private func compare(_ box: AnyObject, _ type: UInt, _ ask: () -> AnyObject?) -> Anchor? {
    let isOurs = knownTypes.withLock { $0[type] } ?? Self.isAsExpected(box, ask)
    knownTypes.withLock { $0[type] = isOurs }
    slot(of: type).pointee.store(isOurs ? type | 1 : type, ordering: .relaxed)
    return isOurs ? unsafeDowncast(Self.content(of: box), to: Anchor.self) : nil
  }

  private static func isAsExpected(_ box: AnyObject, _ ask: () -> AnyObject?) -> Bool {
    // Other coders are not asked: they would create the nested container with which ours report the anchor.
    guard String(reflecting: type(of: box)).contains(containerName), let anchor = ask() as? Anchor else {
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

let decodingAnchors = AnchorFinder<DecodingAnchor>()
let encodingAnchors = AnchorFinder<EncodingAnchor>()

private let slotCount = 64

/// Whether the boxes of a type are as expected, by the type's address; types are never unloaded.
private let knownTypes = Lock<[UInt: Bool]>([:])

/// How the names of this module's containers begin, whatever the module is called in a program.
private let containerName = String(reflecting: AnchorKey.self).replacing("AnchorKey", with: "KeyedBytes")
