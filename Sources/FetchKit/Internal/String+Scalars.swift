extension StringProtocol {
  /// Replaces each occurrence of a scalar. `replacing(_:with:)` misses a scalar that has a combining mark behind it,
  /// because both are one `Character`.
  func replacing(scalar: Unicode.Scalar, with replacement: String) -> String {
    unicodeScalars.reduce(into: "") { result, next in
      if next == scalar { result += replacement } else { result.unicodeScalars.append(next) }
    }
  }
}
