/// One line of a report: a piece of work, ours beside one peer, or ours against an absolute target.
public struct Row: Encodable, Sendable {
  public let work: String
  public let unit: String
  /// The median over the rounds.
  public let ours: Double
  /// Nil when the target is absolute.
  public let peer: String?
  public let peerValue: Double?
  /// Peer ÷ ours, the median of the rounds' ratios: above 1 ours is faster or smaller.
  public let ratio: Double?
  /// The least ratio, or, where the target is absolute, the most in `unit`.
  public let must: Double?
  public let goal: Double?
  public let met: Bool

  private enum CodingKeys: String, CodingKey { case work, unit, ours, peer, peerValue, ratio, must, goal, met }

  // Written by hand so that what is absent is null and not left out.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(work, forKey: .work)
    try container.encode(unit, forKey: .unit)
    try container.encode(ours, forKey: .ours)
    try container.encode(peer, forKey: .peer)
    try container.encode(peerValue, forKey: .peerValue)
    try container.encode(ratio, forKey: .ratio)
    try container.encode(must, forKey: .must)
    try container.encode(goal, forKey: .goal)
    try container.encode(met, forKey: .met)
  }
}
