internal import Foundation

/// A document under construction: its bytes, and the values and containers that are being written.
///
/// Values are almost always encoded in the order of the text, and are then written one after the other. A container
/// remains open while it is the last one. It is closed when an outer one continues or its value has ended. Code that
/// writes to a closed container anyway, or requests a super encoder, writes to a separate document, an `Insertion`,
/// whose bytes are inserted at the end.
///
/// Containers are structures that users can store and copy. They identify their target by a number that is used only
/// once, so a container whose value has ended is detected.
final class EncodingState {
  let shared: SharedEncodingState
  let writer = ByteWriter()
  /// The path of the value that the document represents.
  let root: [any CodingKey]
  /// Behind a pointer, because properties of a class are checked for exclusive access on each use. It belongs to the
  /// state, and the state to one call.
  let core: UnsafeMutablePointer<EncodingCore>

  /// For the continuation of a closed container, where that container is.
  weak var origin: EncodingState?
  var originNumber: UInt32 = 0

  /// The cache of a whole document; separate parts have none, because they are rare.
  private(set) var containers: ContainerCache<EncodingAnchor>?

  init(_ shared: SharedEncodingState, root: [any CodingKey], keepsContainers: Bool = false) {
    self.shared = shared
    self.root = root
    containers = keepsContainers ? ContainerCache() : nil
    core = .allocate(capacity: 1)
    core.initialize(to: EncodingCore())
  }

  /// Prepares the state for a new document.
  func reset() {
    writer.cut(to: 0)
    core.pointee.reset()
    containers?.release()
    shared.mayRepeatNames = false
    shared.hasParts = false
  }

  /// Called at the end of a document whose state something still refers to: nothing else keeps it alive from now on.
  func endKept() { containers = nil }

  deinit {
    writer.deallocate()
    core.deinitialize(count: 1)
    core.deallocate()
  }
}
