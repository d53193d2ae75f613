extension Int {
  /// Returns the number followed by the noun in the singular or plural, such as `1 photo` or `2 photos`.
  ///
  /// - Parameter plural: The plural of the noun, if it is not formed by appending an s.
  public func counted(_ noun: String, _ plural: String? = nil) -> String {
    "\(self) \(self == 1 ? noun : plural ?? "\(noun)s")"
  }
}
