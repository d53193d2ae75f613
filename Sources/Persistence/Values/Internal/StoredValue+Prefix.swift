internal import Foundation

extension StoredValue {
  /// The first value, in the store's order, after all texts that begin with `prefix`. If no text comes after them, this
  /// is the empty blob, which sorts after every text.
  static func bound(afterPrefix prefix: String) -> StoredValue {
    var scalars = prefix.unicodeScalars
    while let last = scalars.popLast() {
      // Skips the surrogates, which are not scalars.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let successor = Unicode.Scalar(next) else { continue }
      scalars.append(successor)
      return .text(String(scalars))
    }
    return .blob(Data())
  }
}
