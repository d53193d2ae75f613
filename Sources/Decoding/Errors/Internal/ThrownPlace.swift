/// The value whose type threw its own error.
struct ThrownPlace {
  var offset: Int
  var steps: [PathStep]
  var type: Any.Type?
}

/// An error that a decoded type threw. It is recognized by identity, so an equal error is a different one.
struct ThrownError {
  let error: any Error
  /// The offset of the value, and its type.
  let value: UInt32
  let type: Any.Type

  func isSame(as other: any Error) -> Bool {
    // On every platform, an error is one reference to a box. The box is retained here, so no other box can have its
    // address. The assertion checks the size.
    assert(MemoryLayout<any Error>.size == MemoryLayout<UInt>.size)
    struct Reference { var error: any Error }
    return unsafeBitCast(Reference(error: error), to: UInt.self)
      == unsafeBitCast(Reference(error: other), to: UInt.self)
  }
}
