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
  /// Below the root, to the value that is being encoded.
  var path: [PathEntry] = []
  var values: [OpenValue] = []
  var containers: [OpenContainer] = []
  /// Containers of open values that were closed, in the order of their ends.
  var closed: [ClosedContainer] = []
  var insertions: [Insertion] = []
  let names = NameLog()
  /// Whether the text goes on behind members or elements that stand elsewhere.
  var continues = false
  /// Where containers that were closed stand among them; what is no longer right is noticed.
  var closedIndices: [UInt32: Int] = [:]
  private var lastNumber: UInt32 = 0
  /// The container that is written to without further ado; 0 is none.
  var top: UInt32 = 0

  enum PathEntry {
    case key(any CodingKey)
    case index(Int)

    var key: any CodingKey {
      switch self {
      case .key(let key): key
      case .index(let index): AnyKey(intValue: index)
      }
    }
  }

  /// A value whose `encode(to:)` is running.
  struct OpenValue {
    enum Content: Equatable {
      case nothing, scalar
      case object(UInt32)
      case array(UInt32)
    }

    let number: UInt32
    /// Of the path.
    let depth: Int
    let containers: Int
    let closed: Int
    var content = Content.nothing
  }

  struct OpenContainer {
    let number: UInt32
    let parent: UInt32
    let isObject: Bool
    let name: String
    let firstName: Int
    var count = 0
  }

  struct ClosedContainer {
    let container: OpenContainer
    /// Of the bracket.
    let end: Int
    var insertion: EncodingState?
  }

  struct Insertion {
    let offset: Int
    /// How many bytes stand there for nothing.
    let replaced: Int
    let state: EncodingState
  }

  convenience init(_ options: EncodingOptions) {
    self.init(SharedEncodingState(options), root: [])
  }

  init(_ shared: SharedEncodingState, root: [any CodingKey]) {
    self.shared = shared
    self.root = root
  }

  func nextNumber() -> UInt32 {
    lastNumber = lastNumber == .max ? 1 : lastNumber + 1
    return lastNumber
  }

  deinit { if !isTaken { writer.deallocate() } }
  var isTaken = false
}
