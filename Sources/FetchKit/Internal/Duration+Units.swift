extension Duration {
  /// The whole nanoseconds, capped at about 292 years.
  package var nanoseconds: Int {
    Int(clamping: attoseconds / 1_000_000_000)
  }

  package var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
