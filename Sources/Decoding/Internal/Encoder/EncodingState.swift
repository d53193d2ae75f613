internal import Foundation

/// A document under construction: its bytes, and which values and containers are being written.
///
/// Values come in the order of the text nearly always, and are written straight behind each other. A container stays
/// open while it is the last one; it is closed when an outer one goes on, or its value has ended. Whoever writes to a
/// closed container all the same, or takes a super encoder, writes to a document of its own, an `Insertion`, whose
/// bytes are put in place at the end.
///
/// Containers are structures that users may keep and copy. They name what they write to by number, and numbers are used
/// once, so that one whose value has ended is found out.
final class EncodingState {
  let shared: SharedEncodingState
  let writer = ByteWriter()
  /// Of the value that the document is for.
  let root: [any CodingKey]
  /// Behind a pointer, as the properties of a class are checked for exclusive access each time they are used. It is the
  /// state's own, and the state belongs to one call.
  let core: UnsafeMutablePointer<EncodingCore>

  /// Those of a whole document; parts that stand apart are few.
  let containers: ContainerCache<EncodingAnchor>?

  init(_ shared: SharedEncodingState, root: [any CodingKey], keepsContainers: Bool = false) {
    self.shared = shared
    self.root = root
    containers = keepsContainers ? ContainerCache() : nil
    core = .allocate(capacity: 1)
    core.initialize(to: EncodingCore())
  }

  /// Makes the state that of a new document.
  func reset() {
    writer.cut(to: 0)
    core.pointee.reset()
    containers?.release()
    shared.mayRepeatNames = false
    shared.hasParts = false
  }

  deinit {
    writer.deallocate()
    core.deinitialize(count: 1)
    core.deallocate()
  }
}
