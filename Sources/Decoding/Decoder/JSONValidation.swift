/// How carefully the parts of a document are looked at that are passed over without being decoded.
///
/// What is decoded is always checked in full.
public enum JSONValidation: Hashable, Sendable {
  /// Grammar, escapes and UTF-8 of everything that is passed over are checked.
  case full

  /// Brackets and quotes alone are followed, which is about twice as fast: for documents that were checked before.
  ///
  /// Malformed input then can go unnoticed, or be noticed at another place; it never does harm to memory.
  case trusted
}
