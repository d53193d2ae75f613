/// The instructions of a regular expression.
struct RegexpProgram {
  enum Operation {
    /// Consumes a scalar in the set `first`.
    case consume
    /// Continues at both `first` and `second`.
    case split
    /// Continues at `first`.
    case jump
    case requireStart
    case requireEnd
    case accept
  }

  struct Instruction {
    var operation: Operation
    var first: Int32 = 0
    var second: Int32 = 0
  }

  private(set) var instructions: [Instruction] = []
  private(set) var sets: [ScalarSet] = []
  private var setNumbers: [ScalarClass: Int32] = [:]

  /// The maximum number of instructions to which counted repetitions can expand.
  static let maximumCount = 10_000

  init(_ node: RegexpNode) throws(RegexpError) {
    try emit(node)
    instructions.append(Instruction(operation: .accept))
  }

  private mutating func emit(_ instruction: Instruction) throws(RegexpError) {
    guard instructions.count < Self.maximumCount else { throw .tooLarge }
    instructions.append(instruction)
  }

  private mutating func emit(_ node: RegexpNode) throws(RegexpError) {
    switch node {
    case .set(let set):
      try emit(Instruction(operation: .consume, first: number(of: set)))
    case .start:
      try emit(Instruction(operation: .requireStart))
    case .end:
      try emit(Instruction(operation: .requireEnd))
    case .sequence(let nodes):
      for node in nodes { try emit(node) }
    case .alternatives(let branches):
      var exits: [Int] = []
      for branch in branches.dropLast() {
        let split = try hole()
        try emit(branch)
        exits.append(try hole())
        fillSplit(split)
      }
      if let last = branches.last { try emit(last) }
      for exit in exits { fillJump(exit, to: instructions.count) }
    case .repetition(let node, let minimum, let maximum):
      guard minimum <= Self.maximumCount, (maximum ?? 0) <= Self.maximumCount else { throw .tooLarge }
      for _ in 0..<minimum {
        let start = instructions.count
        try emit(node)
        // A piece that consumes nothing need not be repeated, and nested counts of it would never reach the limit.
        if instructions.count == start { return }
      }
      guard let maximum else {
        let split = try hole()
        try emit(node)
        fillJump(try hole(), to: split)
        return fillSplit(split)
      }
      var splits: [Int] = []
      for _ in minimum..<maximum {
        splits.append(try hole())
        try emit(node)
      }
      for split in splits { fillSplit(split) }
    }
  }

  /// Reserves an instruction that is filled in later.
  private mutating func hole() throws(RegexpError) -> Int {
    try emit(Instruction(operation: .accept))
    return instructions.count - 1
  }

  private mutating func fillJump(_ hole: Int, to target: Int) {
    instructions[hole] = Instruction(operation: .jump, first: Int32(target))
  }

  /// Continues with the next instruction, or after all existing ones.
  private mutating func fillSplit(_ hole: Int) {
    instructions[hole] = Instruction(operation: .split, first: Int32(hole + 1), second: Int32(instructions.count))
  }

  private mutating func number(of set: ScalarClass) -> Int32 {
    if let known = setNumbers[set] { return known }
    let number = Int32(sets.count)
    sets.append(ScalarSet(set))
    setNumbers[set] = number
    return number
  }
}
