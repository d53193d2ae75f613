/// A regular expression of RFC 9485, run as a non-deterministic automaton.
///
/// All states are advanced together, so the time is at most the product of the text's and the program's lengths,
/// whatever the expression: nothing is ever tried twice.
struct IRegexp: Sendable {
  private enum Instruction: Sendable {
    case consume(ScalarClass)
    case split(Int, Int)
    case jump(Int)
    case requireStart
    case requireEnd
    case accept
  }

  private var program: [Instruction] = []

  /// What counted repetitions may expand to.
  static let maximumProgram = 10_000

  /// - Parameter scalars: The code points of the expression.
  init(_ scalars: [UInt32]) throws(RegexpError) {
    var parser = IRegexpParser(scalars)
    try emit(try parser.parse())
    program.append(.accept)
  }

  /// Whether the whole text, or some part of it, fits.
  ///
  /// - Parameter spend: Told the work done at each step; it throws to stop.
  func matches<Failure: Error>(
    _ text: [UInt32], anywhere: Bool, spend: (Int) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    var current = StateSet(count: program.count)
    var following = StateSet(count: program.count)
    add(0, to: &current, isStart: true, isEnd: text.isEmpty)
    for (position, scalar) in text.enumerated() {
      if anywhere, current.isAccepting { return true }
      try spend(current.states.count + 1)
      following.removeAll()
      let isEnd = position == text.count - 1
      for state in current.states {
        if case .consume(let set) = program[state], set.contains(scalar) {
          add(state + 1, to: &following, isEnd: isEnd)
        }
      }
      if anywhere { add(0, to: &following, isEnd: isEnd) }
      if !anywhere, following.states.isEmpty, !following.isAccepting { return false }
      swap(&current, &following)
    }
    return current.isAccepting
  }

  /// States without order or repeats; emptied in no time.
  private struct StateSet {
    var states: [Int] = []
    var isAccepting = false
    private var marks: [Int]
    private var round = 1

    init(count: Int) {
      marks = Array(repeating: 0, count: count)
    }

    mutating func insert(_ state: Int) -> Bool {
      guard marks[state] != round else { return false }
      marks[state] = round
      return true
    }

    mutating func removeAll() {
      states.removeAll(keepingCapacity: true)
      isAccepting = false
      round += 1
    }
  }

  /// Adds a state and all that are reached from it without consuming anything; the stack is on the heap.
  private func add(_ start: Int, to set: inout StateSet, isStart: Bool = false, isEnd: Bool) {
    var pending = [start]
    while let state = pending.popLast() {
      guard set.insert(state) else { continue }
      switch program[state] {
      case .consume: set.states.append(state)
      case .accept: set.isAccepting = true
      case .jump(let target): pending.append(target)
      case .requireStart: if isStart { pending.append(state + 1) }
      case .requireEnd: if isEnd { pending.append(state + 1) }
      case .split(let first, let second):
        pending.append(second)
        pending.append(first)
      }
    }
  }

  private mutating func emit(_ instruction: Instruction) throws(RegexpError) {
    guard program.count < Self.maximumProgram else { throw .tooLarge }
    program.append(instruction)
  }

  private mutating func emit(_ node: RegexpNode) throws(RegexpError) {
    switch node {
    case .set(let set):
      try emit(.consume(set))
    case .start:
      try emit(.requireStart)
    case .end:
      try emit(.requireEnd)
    case .sequence(let nodes):
      for node in nodes { try emit(node) }
    case .alternatives(let branches):
      var exits: [Int] = []
      for branch in branches.dropLast() {
        let split = program.count
        try emit(.jump(0))
        try emit(branch)
        exits.append(program.count)
        try emit(.jump(0))
        program[split] = .split(split + 1, program.count)
      }
      if let last = branches.last { try emit(last) }
      for exit in exits { program[exit] = .jump(program.count) }
    case .repetition(let node, let minimum, let maximum):
      guard minimum <= Self.maximumProgram, (maximum ?? 0) <= Self.maximumProgram else { throw .tooLarge }
      for _ in 0..<minimum {
        let start = program.count
        try emit(node)
        // What consumes nothing needs no repeating, and counts of counts of nothing would never reach the limit.
        if program.count == start { return }
      }
      guard let maximum else { return try emitLoop(node) }
      var splits: [Int] = []
      for _ in minimum..<maximum {
        splits.append(program.count)
        try emit(.jump(0))
        try emit(node)
      }
      for split in splits { program[split] = .split(split + 1, program.count) }
    }
  }

  private mutating func emitLoop(_ node: RegexpNode) throws(RegexpError) {
    let split = program.count
    try emit(.jump(0))
    try emit(node)
    try emit(.jump(split))
    program[split] = .split(split + 1, program.count)
  }
}
