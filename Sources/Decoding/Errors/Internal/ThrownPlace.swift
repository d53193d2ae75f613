/// The value whose type threw its own error.
struct ThrownPlace {
  var offset: Int
  var steps: [PathStep]
  var type: Any.Type?
}

/// An error that a decoded type threw: that same instance, passed on, and not an equal one.
struct ThrownError {
  let error: any Error
  /// The offset of the value, and its type.
  let value: UInt32
  let type: Any.Type

  func isSame(as other: any Error) -> Bool {
    // An error is one reference to its box on every platform, which is kept here, so that no other box can be at its
    // address; an assertion looks at the size.
    assert(MemoryLayout<any Error>.size == MemoryLayout<UInt>.size)
    struct Reference { var error: any Error }
    return unsafeBitCast(Reference(error: error), to: UInt.self)
      == unsafeBitCast(Reference(error: other), to: UInt.self)
  }
}
