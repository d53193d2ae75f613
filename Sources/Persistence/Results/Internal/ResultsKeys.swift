/// The sort keys of the rows of results, in the order in which the rows were added.
///
/// They are stored separately from the rows, which therefore consist only of numbers: rows are copied by the thousand
/// with each change, keys are not. A removed row leaves its keys here. When most of the keys are unused, the owner of
/// the rows rebuilds them.
struct ResultsKeys: Sendable {
  private typealias Block = ContiguousArray<StoredValue>

  /// Copies share all blocks except the last one, to which rows are added.
  private var blocks: ContiguousArray<Block> = []
  private let width: Int
  /// The number of rows whose keys are stored.
  private(set) var count = 0

  /// The number of rows in a block.
  private static let size = 256

  /// - Parameter width: The number of keys per row.
  init(width: Int) { self.width = width }

  /// Adds the keys of a row and returns their index.
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

  subscript(position: Int, index: Int) -> StoredValue {
    blocks[position / Self.size][position % Self.size * width + index]
  }
}
