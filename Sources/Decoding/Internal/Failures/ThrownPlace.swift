/// The value whose type has thrown an error of its own.
struct ThrownPlace {
  var offset: Int
  var steps: [PathStep]
  var type: Any.Type?
}

/// An error that a decoded type has thrown: that very one, passed on, and not an equal one.
struct ThrownError {
  let error: any Error
  /// The offset of the value, and its type.
  let value: UInt32
  let type: Any.Type

  func isSame(as other: any Error) -> Bool {
    // An error is a reference to its box, which is kept here, so that no other one can be at its address.
    struct Reference { var error: any Error }
    return unsafeBitCast(Reference(error: error), to: UInt.self)
      == unsafeBitCast(Reference(error: other), to: UInt.self)
  }
}
