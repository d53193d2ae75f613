/// The mutable state while one document is decoded.
///
/// It is behind one raw pointer (`JSONScanner`), so that scanning does no exclusivity checks, array bounds checks or
/// reference counting, which took half of the time. Only `DecodingState` creates and frees it.
struct ScannerCore {
  var text: ByteView

  /// The values that are being decoded, innermost last.
  var nodes: UnsafeMutablePointer<ValueNode>
  var nodeCount = 0
  var nodeCapacity: Int
  /// The first node of the innermost running `init(from:)`.
  var frame = 0

  /// Key entries, hash tables and converted names: a stack of words that is cut back when an `init(from:)` returns.
  var arena: UnsafeMutablePointer<UInt32>
  var arenaCount = 0
  var arenaCapacity: Int
  /// The lower limit of cutting back: a container of an outer `init(from:)` was used inside an inner one, and its
  /// records must remain when the inner one returns.
  var arenaFloor = 0

  /// The value that was read last, so that the container around it can advance without reading it again.
  var lastStart = -1
  var lastEnd = 0

  /// The offset of the first invalid byte. It persists, so that `try?` in a decoded type cannot hide malformed input.
  var fault = -1
  /// Why it is invalid; `unreadable` for a syntax error, whose reason is found when the text is read again.
  var faultReason = JSONSyntaxError.Reason.unreadable
  /// The offset at which the last string is not valid Unicode; -1 again after that was thrown. It does not persist,
  /// because such a value is invalid but not malformed.
  var unreadable = -1

  /// The unescaped form of the last string examined.
  var scratch: UnsafeMutablePointer<UInt8>
  var scratchCapacity: Int
  /// The numbers of an array before it is created.
  var numbers: UnsafeMutablePointer<UInt64>
  var numberCapacity: Int

  var kinds: UnsafeMutablePointer<UInt8>
  var depthLimit: Int
  var isTrusted = false
  var convertsKeys = false
  var replacesSurrogates = false
  /// The state that owns this core. It is not retained, because its deinitializer frees the core.
  unowned(unsafe) var keyConverter: (any KeyConverter)?
  /// Protects against keys chosen to collide.
  let seed: UInt64
}

/// Converts keys with the key decoding strategy.
protocol KeyConverter: AnyObject {
  /// Returns the key that a name becomes, or nil if it is the same.
  func convertedKey(_ name: ByteView, ofObjectAt index: Int) -> String?
}

/// One value that is being decoded through `init(from:)` or a container.
///
/// It only records how far its text has been read. It can be dropped at any time and recreated from `value`, so a
/// container that outlives its `init(from:)` does no harm.
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
  /// The index after the opening brace, a comma or a member's value: see `phase`.
  var cursor: UInt32
  /// The value of the member that was read last.
  var member: UInt32
  /// The first and last of the recorded keys, in a linked list; `hint` is the one found last.
  var head: Int32
  var tail: Int32
  var hint: Int32
  /// The node of the member that was opened last; it may no longer exist.
  var child: Int32
  var keyCount: UInt32
  /// The hash table over the keys, from `JSONScanner.indexThreshold` keys on; otherwise -1.
  var table: Int32
  var tableSize: UInt32
  /// The first byte of a skipped name that is not valid Unicode and cannot be requested; otherwise 0.
  var unreadable: UInt32
  /// The same for an `init(from:)` that has requested all names, which cannot throw; its value is invalid.
  var invalid: UInt32
  /// A Bloom filter of the tags of the recorded keys.
  var seen: UInt64

  enum Phase: UInt8 {
    /// Not opened as an object.
    case closed
    /// After the opening brace.
    case first
    /// At a member's value.
    case value
    /// After a member's value.
    case afterValue
    /// After the closing brace.
    case done
  }

  enum KeyKind: UInt8 {
    case root, name, index, dictionaryName
    /// A member that is not in the text; the key is an index into `DecodingState.absentNames`.
    case absentName
  }
}

/// A null that is not in the text, which a superclass decodes if its object is missing.
let absentValue = UInt32.max

/// A recorded key in the arena, of which it takes up `size` words.
struct KeyEntry {
  static let size = 8
  static let escapedBit: UInt32 = 1 << 31
  static let convertedBit: UInt32 = 1 << 30
  static let lengthMask: UInt32 = convertedBit - 1

  /// The offset of the key's first byte in the text.
  var key: UInt32
  /// The length of the key in the text, with `escapedBit` and `convertedBit`.
  var length: UInt32
  var tag: UInt32 = 0
  var value: UInt32
  var next: Int32 = -1
  var hash: UInt32 = 0
  /// The position of a converted key's bytes in the arena.
  var name: UInt32 = 0
  /// For a skipped value that is a string without escapes: twice its length, plus one if it is not ASCII. Otherwise 0.
  var text: UInt32 = 0
}
