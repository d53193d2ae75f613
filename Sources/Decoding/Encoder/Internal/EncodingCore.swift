/// The mutable state of a document while it is written.
struct EncodingCore {
  /// The path from the root to the value that is being encoded.
  var path: [PathEntry] = []
  var values: [OpenValue] = []
  var containers: [OpenContainer] = []
  /// The closed containers of open values, in the order of their ends.
  var closed: [ClosedContainer] = []
  var closedIndex = ClosedIndex()
  var insertions: [Insertion] = []
  /// The ranges of the bytes that were encoded unchanged, in the order of the text.
  var raws: [Range<Int>] = []
  var names = NameLog()
  /// The number of the container that can be written to immediately; 0 if there is none.
  var top: UInt32 = 0
  /// A member of which the last value's offset is wanted.
  var watched: WatchedMember?
  /// Whether the first container continues one of another state.
  var isContinuation = false
  /// Whether the text continues after members or elements in another state.
  var continues = false
  private var lastNumber: UInt32 = 0

  mutating func nextNumber() -> UInt32 {
    lastNumber = lastNumber == .max ? 1 : lastNumber + 1
    return lastNumber
  }

  mutating func reset() {
    // Almost always all of them are empty, and clearing an empty collection is not free.
    if !path.isEmpty { path.removeAll(keepingCapacity: true) }
    if !values.isEmpty { values.removeAll(keepingCapacity: true) }
    if !containers.isEmpty { containers.removeAll(keepingCapacity: true) }
    if !closed.isEmpty { closed.removeAll(keepingCapacity: true) }
    if closed.capacity > 1024 { closed = [] }
    if !closedIndex.isEmpty { closedIndex = ClosedIndex() }
    if !insertions.isEmpty { insertions = [] }
    if !raws.isEmpty { raws = [] }
    names.cut(to: 0)
    top = 0
    watched = nil
  }
}

/// A member that was written and may be written again.
struct WatchedMember {
  let object: UInt32
  let name: String
  /// Where its last value after the first starts, if there is one; `.max` if that was removed again.
  var start: Int?
}

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
  /// The length of the path to the value.
  let depth: Int
  let containers: Int
  let closed: Int
  var content = Content.nothing
  /// Whether another kind of value was asked for than what was written before.
  var isRefused = false
}

struct OpenContainer {
  let number: UInt32
  var parent: UInt32
  let isObject: Bool
  let name: String
  let firstName: Int
  var count = 0
}

struct ClosedContainer {
  var container: OpenContainer
  /// The offset of the closing bracket.
  let end: Int
  var insertion: EncodingState?
}

struct Insertion {
  let offset: Int
  /// The number of placeholder bytes to replace.
  let replaced: Int
  let state: EncodingState
}
