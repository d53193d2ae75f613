extension Int {
  /// The number and the noun: `1 photo`, `2 photos`.
  ///
  /// - Parameter plural: Where it is more than an s behind the noun.
  public func counted(_ noun: String, _ plural: String? = nil) -> String {
    "\(self) \(self == 1 ? noun : plural ?? "\(noun)s")"
  }
}
