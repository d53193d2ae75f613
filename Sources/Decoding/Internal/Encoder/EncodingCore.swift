/// What changes while a document is written.
struct EncodingCore {
  /// Below the root, to the value that is being encoded.
  var path: [PathEntry] = []
  var values: [OpenValue] = []
  var containers: [OpenContainer] = []
  /// Containers of open values that were closed, in the order of their ends.
  var closed: [ClosedContainer] = []
  /// Where containers that were closed stand among them; what is no longer right is noticed.
  var closedIndices: [UInt32: Int] = [:]
  var insertions: [Insertion] = []
  var names = NameLog()
  /// The container that is written to without further ado; 0 is none.
  var top: UInt32 = 0
  /// Whether the text goes on behind members or elements that stand elsewhere.
  var continues = false
  private var lastNumber: UInt32 = 0

  mutating func nextNumber() -> UInt32 {
    lastNumber = lastNumber == .max ? 1 : lastNumber + 1
    return lastNumber
  }

  mutating func reset() {
    // Nearly always all of them are empty, and emptying is not for nothing.
    if !path.isEmpty { path.removeAll(keepingCapacity: true) }
    if !values.isEmpty { values.removeAll(keepingCapacity: true) }
    if !containers.isEmpty { containers.removeAll(keepingCapacity: true) }
    if !closed.isEmpty { closed.removeAll(keepingCapacity: true) }
    if closed.capacity > 1024 { closed = [] }
    if !closedIndices.isEmpty { closedIndices = [:] }
    if !insertions.isEmpty { insertions = [] }
    names.cut(to: 0)
    top = 0
  }
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
  /// Of the path.
  let depth: Int
  let containers: Int
  let closed: Int
  var content = Content.nothing
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
