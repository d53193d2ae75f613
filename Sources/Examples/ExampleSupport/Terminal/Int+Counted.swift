extension Int {
  /// The number and the noun: `1 photo`, `2 photos`.
  ///
  /// - Parameter plural: The plural if it is not formed by appending an s.
  public func counted(_ noun: String, _ plural: String? = nil) -> String {
    "\(self) \(self == 1 ? noun : plural ?? "\(noun)s")"
  }
}
