/// A weight without the type of its object.
struct SearchWeightValue: Sendable {
  let path: any AnyKeyPath & Sendable
  let value: Double
}
