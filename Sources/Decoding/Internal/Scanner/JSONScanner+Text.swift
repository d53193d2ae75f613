extension JSONScanner {
  /// Calls a closure with a scanner of a text outside a decode. It supports cursors, but has no space for nodes, keys
  /// or numbers.
  static func scanning<Result>(_ text: ByteView, depthLimit: Int, _ body: (JSONScanner) -> Result) -> Result {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(depthLimit, 1) + 1) { kinds in
      // Nothing is allocated, because errors about small documents should be cheap. The capacity is not zero, so there
      // is an address.
      var core = ScannerCore(
        text: text, nodes: nowhere(), nodeCapacity: 0, arena: nowhere(), arenaCapacity: 0, scratch: nowhere(),
        scratchCapacity: 0, numbers: nowhere(), numberCapacity: 0, kinds: kinds.baseAddress.unsafelyUnwrapped,
        depthLimit: depthLimit, seed: 0)
      defer { if core.scratchCapacity > 0 { core.scratch.deallocate() } }
      return withUnsafeMutablePointer(to: &core) { body(JSONScanner(core: $0)) }
    }
  }

  /// Returns an address for memory that does not exist.
  private static func nowhere<Element>() -> UnsafeMutablePointer<Element> {
    UnsafeMutablePointer(bitPattern: MemoryLayout<Element>.alignment).unsafelyUnwrapped
  }
}
