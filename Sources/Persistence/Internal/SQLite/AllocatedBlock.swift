internal import CSQLite

/// What the allocator knows of a block. It stands here because the shim beside SQLite's header is the module's only C.
enum AllocatedBlock {
  /// How many bytes the block has that begins here, which may be more than were asked for.
  static func size(of block: UnsafeRawPointer) -> Int { larder_block_size(block) }
}
