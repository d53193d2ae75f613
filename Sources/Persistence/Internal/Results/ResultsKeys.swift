/// The sort keys of a result's rows, in the order in which the rows came.
///
/// They stand apart from the rows, which so are numbers and nothing else: these are copied by the thousand with each
/// change, keys are not. A row that goes leaves its keys here; when most are such, whoever has the rows begins anew.
struct ResultsKeys: Sendable {
  private typealias Block = ContiguousArray<StoredValue>

  /// Copies share all blocks but the last one, to which rows are added.
  private var blocks: ContiguousArray<Block> = []
  private let width: Int
  /// Of how many rows there are keys.
  private(set) var count = 0

  /// The rows of a block.
  private static let size = 256

  /// - Parameter width: how many keys a row has.
  init(width: Int) { self.width = width }

  /// Adds the keys of a row. Returns their place.
  mutating func append(_ key: (Int) -> StoredValue) -> Int {
    if width == 0 { return 0 }
    if count % Self.size == 0 {
      var block = Block()
      block.reserveCapacity(Self.size * width)
      blocks.append(block)
    }
    for index in 0..<width { blocks[blocks.count - 1].append(key(index)) }
    count += 1
    return count - 1
  }

  subscript(place: Int, index: Int) -> StoredValue {
    blocks[place / Self.size][place % Self.size * width + index]
  }
}
