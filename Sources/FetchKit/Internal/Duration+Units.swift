extension Duration {
  /// The whole nanoseconds, capped at about 292 years.
  package var nanoseconds: Int {
    let (seconds, attoseconds) = components
    let (product, overflowed) = Int(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflowed else { return seconds < 0 ? .min : .max }
    let (sum, overflow) = product.addingReportingOverflow(Int(attoseconds / 1_000_000_000))
    return overflow ? (seconds < 0 ? .min : .max) : sum
  }

  package var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
