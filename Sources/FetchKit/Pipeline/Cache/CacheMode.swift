/// What a request wants of the client's ``HTTPCache``; without one it changes nothing.
///
/// The modes are those of the Fetch standard. Fields that the request itself has (`Cache-Control: max-stale=60`,
/// `only-if-cached`, …) are heeded besides.
public enum CacheMode: Sendable, Hashable {
  /// What is stored and fresh is used, what is stale is validated.
  case standard
  /// What is stored is validated although it may be fresh, unless it was declared `immutable` (RFC 8246). Asks the
  /// caches on the way for the same (`max-age=0`).
  case revalidate
  /// Goes to the server as if nothing were stored, asks the caches on the way for the same (`no-cache`), and stores
  /// what comes.
  case reload
  /// What is stored is used whatever its age; the server is asked where nothing is.
  case preferStored
  /// What is stored is used whatever its age; where nothing is, the outcome is the status 504 (RFC 9111 §5.2.1.7).
  case onlyStored
  /// Nothing stored is used, and nothing is stored.
  case bypass
}
