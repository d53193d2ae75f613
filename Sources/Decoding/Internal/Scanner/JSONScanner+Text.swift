extension JSONScanner {
  /// Lends a scanner of a text outside of a decode: it has cursors, and no room for nodes, keys and numbers.
  static func scanning<Result>(_ text: ByteView, depthLimit: Int, _ body: (JSONScanner) -> Result) -> Result {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(depthLimit, 1) + 1) { kinds in
      // Nothing is allocated: errors about small documents are to be cheap.
      // The capacity is not zero, so there is an address.
      var core = ScannerCore(
        text: text, nodes: nowhere(), nodeCapacity: 0, arena: nowhere(), arenaCapacity: 0, scratch: nowhere(),
        scratchCapacity: 0, numbers: nowhere(), numberCapacity: 0, kinds: kinds.baseAddress.unsafelyUnwrapped,
        depthLimit: depthLimit, seed: 0)
      defer { if core.scratchCapacity > 0 { core.scratch.deallocate() } }
      return withUnsafeMutablePointer(to: &core) { body(JSONScanner(core: $0)) }
    }
  }

  /// An address for memory of which there is none.
  private static func nowhere<Element>() -> UnsafeMutablePointer<Element> {
    UnsafeMutablePointer(bitPattern: MemoryLayout<Element>.alignment).unsafelyUnwrapped
  }
}
