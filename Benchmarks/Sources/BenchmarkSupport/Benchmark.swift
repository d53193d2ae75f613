/// One piece of work done by us and by our peers in the same process, round by round.
///
/// Every contender runs once per round, in an order that rotates, so that a slow spell of the machine falls on all of
/// them alike; what is compared is the median of the rounds' ratios and not the ratio of two medians.
public struct Benchmark {
  /// Does the work once and returns what it took, in the benchmark's unit.
  public typealias Measure = () async throws -> Double

  public struct Peer {
    let name: String
    let must: Double?
    let goal: Double?
    let measure: Measure

    /// - Parameters:
    ///   - must: The least acceptable peer ÷ ours.
    ///   - goal: The peer ÷ ours that is aimed at.
    public init(_ name: String, must: Double? = nil, goal: Double? = nil, measure: @escaping Measure) {
      self.name = name
      self.must = must
      self.goal = goal
      self.measure = measure
    }
  }

  let work: String
  let unit: String
  let ours: Measure
  let peers: [Peer]
  let must: Double?
  let goal: Double?
  /// Done a single time, whatever the number of rounds.
  let isOnce: Bool
  let mostRounds: Int

  /// Work that is compared with peers.
  ///
  /// - Parameter atMost: The most rounds, for work that takes long; a single one is done without another to warm up.
  public init(_ work: String, unit: String, atMost: Int = .max, ours: @escaping Measure, peers: [Peer]) {
    self.work = work
    self.unit = unit
    self.ours = ours
    self.peers = peers
    must = nil
    goal = nil
    isOnce = atMost == 1
    mostRounds = atMost
  }

  /// Work with an absolute target: at most `must`, at best `goal`, in `unit`.
  ///
  /// - Parameter once: For work that takes a minute by its nature: it is done a single time, whatever the number of
  ///   rounds.
  public init(
    _ work: String, unit: String, must: Double?, goal: Double?, once: Bool = false, ours: @escaping Measure
  ) {
    self.work = work
    self.unit = unit
    self.ours = ours
    peers = []
    self.must = must
    self.goal = goal
    isOnce = once
    mostRounds = .max
  }

  func rows(rounds: Int) async throws -> [Row] {
    let contenders = [ours] + peers.map(\.measure)
    var values = Array(repeating: [Double](), count: contenders.count)
    // Round 0 warms caches, page files and the peers' own lazy parts; it is not counted.
    for round in isOnce ? 1...1 : 0...min(rounds, mostRounds) {
      for step in contenders.indices {
        let index = (step + round) % contenders.count
        let value = try await contenders[index]()
        if round > 0 { values[index].append(value) }
      }
    }
    let mine = values[0].median
    guard !peers.isEmpty else {
      return [
        Row(
          work: work, unit: unit, ours: mine, peer: nil, peerValue: nil, ratio: nil, must: must, goal: goal,
          met: must.map { mine <= $0 } ?? true)
      ]
    }
    return peers.indices.map { index in
      let peer = peers[index]
      let ratio = zip(values[index + 1], values[0]).map { $0 / $1 }.median
      return Row(
        work: work, unit: unit, ours: mine, peer: peer.name, peerValue: values[index + 1].median, ratio: ratio,
        must: peer.must, goal: peer.goal, met: peer.must.map { ratio >= $0 } ?? true)
    }
  }
}

extension [Double] {
  /// The middle value; of an even number of values the mean of the middle two. NaN when empty.
  public var median: Double {
    guard !isEmpty else { return .nan }
    let sorted = sorted()
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }
}
