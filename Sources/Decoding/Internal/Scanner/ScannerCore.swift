/// All that changes while one document is decoded.
///
/// It lives behind one raw pointer (`JSONScanner`), so that scanning does no exclusivity checks, no array bounds checks
/// and no reference counting: those were half of the time. `DecodingState` alone makes it and frees it.
struct ScannerCore {
  var text: ByteView

  /// The values under decode, innermost last.
  var nodes: UnsafeMutablePointer<ValueNode>
  var nodeCount = 0
  var nodeCapacity: Int
  /// The first node of the innermost `init(from:)` that runs.
  var frame = 0

  /// Key entries, hash tables and converted names: a stack of words, cut back when an `init(from:)` returns.
  var arena: UnsafeMutablePointer<UInt32>
  var arenaCount = 0
  var arenaCapacity: Int
  /// Where cutting back stops: a container of an outer `init(from:)` was used inside an inner one, and what it recorded
  /// must stay although the inner one returns.
  var arenaFloor = 0

  /// The value that was read last: lets the container around it move on without reading it again.
  var lastStart = -1
  var lastEnd = 0

  /// The offset of the first wrong byte. It sticks, so that a `try?` in a decoded type cannot hide malformed input.
  var fault = -1
  var faultKind = FaultKind.syntax
  /// Where the string read last is no text; -1 again when that was thrown. It does not stick: such a value is invalid,
  /// not malformed.
  var unreadable = -1

  /// The unescaped form of the string looked at last.
  var scratch: UnsafeMutablePointer<UInt8>
  var scratchCapacity: Int
  /// The numbers of an array, before it is made.
  var numbers: UnsafeMutablePointer<UInt64>
  var numberCapacity: Int

  var kinds: UnsafeMutablePointer<UInt8>
  var depthLimit: Int
  var isTrusted = false
  var convertsKeys = false
  /// The state that owns this core: asked for converted keys. Not retained, as it cannot go before its core.
  var owner: Unmanaged<DecodingState>?
  /// Against keys chosen to collide.
  let seed: UInt64

  enum FaultKind {
    case syntax, tooDeep, tooLarge
  }
}

/// One value that is being decoded through `init(from:)` or a container.
///
/// It is only a record of how far its text has been read: it can be dropped at any time and made again from `value`,
/// and that is why a container that outlives its `init(from:)` does no harm.
struct ValueNode {
  /// The offset of the value's first byte, or `absentValue`.
  var value: UInt32
  var parent: Int32
  /// The offset of the key's first byte, or an index; see `keyKind`.
  var key: UInt32
  var keyKind: KeyKind
  var phase: Phase
  var isEnumerated: Bool
  var depth: UInt16
  /// Behind the opening brace, a comma or a member's value: see `phase`.
  var cursor: UInt32
  /// The value of the member that was passed last.
  var member: UInt32
  /// The first and last of the keys passed, a linked list; `hint` is the one found last.
  var head: Int32
  var tail: Int32
  var hint: Int32
  /// The node of the member that was opened last; it need not be there any more.
  var child: Int32
  var keyCount: UInt32
  /// The hash table over the keys, from `JSONScanner.indexThreshold` keys on; else -1.
  var table: Int32
  var tableSize: UInt32
  /// The first byte of a name passed that is no text, and cannot be asked for; else 0.
  var unreadable: UInt32
  /// The same for an `init(from:)` that has asked for all names, which cannot throw: its value is invalid.
  var invalid: UInt32
  /// A Bloom filter of the tags of the keys passed.
  var seen: UInt64

  enum Phase: UInt8 {
    /// Not opened as an object.
    case closed
    /// Behind the opening brace.
    case first
    /// At a member's value.
    case value
    /// Behind a member's value.
    case afterValue
    /// Behind the closing brace.
    case done
  }

  enum KeyKind: UInt8 {
    case root, name, index, dictionaryName
    /// A member that is not in the text; the key is an index of `DecodingState.absentNames`.
    case absentName
  }
}

/// A null that is not in the text: what a superclass decodes when its object is missing.
let absentValue = UInt32.max

/// A key that was passed, as words in the arena.
struct KeyEntry {
  static let size = 7
  static let escapedBit: UInt32 = 1 << 31
  static let convertedBit: UInt32 = 1 << 30
  static let lengthMask: UInt32 = convertedBit - 1

  let words: UnsafeMutablePointer<UInt32>

  /// The offset of the key's first byte in the text.
  @inline(__always) var key: UInt32 {
    get { words[0] }
    nonmutating set { words[0] = newValue }
  }
  /// The length of the key in the text, with `escapedBit` and `convertedBit`.
  @inline(__always) var length: UInt32 {
    get { words[1] }
    nonmutating set { words[1] = newValue }
  }
  @inline(__always) var tag: UInt32 {
    get { words[2] }
    nonmutating set { words[2] = newValue }
  }
  @inline(__always) var value: UInt32 {
    get { words[3] }
    nonmutating set { words[3] = newValue }
  }
  @inline(__always) var next: Int32 {
    get { Int32(bitPattern: words[4]) }
    nonmutating set { words[4] = UInt32(bitPattern: newValue) }
  }
  @inline(__always) var hash: UInt32 {
    get { words[5] }
    nonmutating set { words[5] = newValue }
  }
  /// Where the bytes of a converted key are in the arena.
  @inline(__always) var name: UInt32 {
    get { words[6] }
    nonmutating set { words[6] = newValue }
  }
}
