/// A regular expression of RFC 9485, run as a nondeterministic automaton.
///
/// All states advance together, one bit each, without backtracking. The time is therefore at most the product of the
/// lengths of the text and the program, whatever the expression. The memory for the states belongs to the expression,
/// so only one match runs at a time.
final class IRegexp {
  private let instructions: UnsafeMutableBufferPointer<RegexpProgram.Instruction>
  private let sets: [ScalarSet]
  /// The number of words with one bit per instruction.
  private let words: Int
  /// The instructions that consume a scalar.
  private let consuming: UnsafeMutablePointer<UInt64>
  private var current: UnsafeMutablePointer<UInt64>
  /// The next states; all bits are clear between steps.
  private var following: UnsafeMutablePointer<UInt64>

  /// The maximum length of a pattern in bytes.
  static let maximumPattern = 65_536

  /// - Parameter pattern: The expression in UTF-8, which may contain unpaired surrogates.
  init(_ pattern: [UInt8]) throws(RegexpError) {
    guard pattern.count <= Self.maximumPattern else { throw .tooLarge }
    var scalars: [UInt32] = []
    var index = 0
    while index < pattern.count { scalars.append(pattern.scalar(at: &index)) }
    var parser = IRegexpParser(scalars)
    let program = try RegexpProgram(try parser.parse())
    sets = program.sets
    instructions = .allocate(capacity: program.instructions.count)
    _ = instructions.initialize(from: program.instructions)
    words = (program.instructions.count + 63) / 64
    consuming = Self.makeSet(words)
    current = Self.makeSet(words)
    following = Self.makeSet(words)
    for (state, instruction) in program.instructions.enumerated() where instruction.operation == .consume {
      consuming[state >> 6] |= 1 << UInt64(state & 63)
    }
  }

  deinit {
    instructions.deallocate()
    consuming.deallocate()
    current.deallocate()
    following.deallocate()
  }

  /// The cost of creating the expression, in units of work.
  var cost: Int { instructions.count * WorkMeter.instruction + sets.count * WorkMeter.characterSet }

  /// Returns whether the whole text, or some part of it, matches.
  ///
  /// - Parameter text: UTF-8, which may contain unpaired surrogates.
  func matches(
    _ text: [UInt8], anywhere: Bool, _ meter: inout WorkMeter
  ) throws(EvaluationError) -> Bool {
    current.update(repeating: 0, count: words)
    following.update(repeating: 0, count: words)
    var work = 0
    insert(0)
    close(isStart: true, isEnd: text.isEmpty, &work)
    var index = 0
    while index < text.count {
      if anywhere, isAccepting { return true }
      let scalar = text.scalar(at: &index)
      let hasStates = advance(over: scalar, &work)
      guard anywhere || hasStates else { return false }
      if anywhere { insert(0) }
      close(isStart: false, isEnd: index == text.count, &work)
      try meter.spend(work)
      work = 0
    }
    return isAccepting
  }

  private var isAccepting: Bool {
    let last = instructions.count - 1
    return current[last >> 6] >> UInt64(last & 63) & 1 == 1
  }

  /// Advances each state that accepts the scalar to the next set, and clears the current one.
  private func advance(over scalar: UInt32, _ work: inout Int) -> Bool {
    var hasStates = false
    var count = 0
    for word in 0..<words {
      var bits = current[word] & consuming[word]
      current[word] = 0
      while bits != 0 {
        let state = word &* 64 &+ bits.trailingZeroBitCount
        bits &= bits &- 1
        count &+= 1
        let set = Int(instructions[state].first)
        guard scalar < 128 ? sets[set].containsASCII(scalar) : sets[set].contains(scalar) else { continue }
        insert(state &+ 1)
        hasStates = true
      }
    }
    work &+= words &+ count &* (scalar < 128 ? WorkMeter.state : WorkMeter.wideState)
    return hasStates
  }

  /// Adds the states that the next states reach without consuming anything, and makes them the current ones.
  private func close(isStart: Bool, isEnd: Bool, _ work: inout Int) {
    // The current set is clear, so it can record the visited states.
    let done = current
    var count = 0
    var word = 0
    while word < words {
      let open = following[word] & ~consuming[word] & ~done[word]
      guard open != 0 else {
        word &+= 1
        continue
      }
      let state = word &* 64 &+ open.trailingZeroBitCount
      done[word] |= open & (~open &+ 1)
      count &+= 1
      let instruction = instructions[state]
      switch instruction.operation {
      case .jump: insert(Int(instruction.first))
      case .split:
        insert(Int(instruction.first))
        insert(Int(instruction.second))
      case .requireStart: if isStart { insert(state &+ 1) }
      case .requireEnd: if isEnd { insert(state &+ 1) }
      case .consume, .accept: break
      }
      // Loops jump backward.
      if instruction.operation == .jump, Int(instruction.first) >> 6 < word {
        work &+= word
        word = Int(instruction.first) >> 6
      }
    }
    work &+= words &+ count &* WorkMeter.state
    done.update(repeating: 0, count: words)
    swap(&current, &following)
  }

  @inline(__always)
  private func insert(_ state: Int) { following[state >> 6] |= 1 << UInt64(state & 63) }

  private static func makeSet(_ words: Int) -> UnsafeMutablePointer<UInt64> {
    let set = UnsafeMutablePointer<UInt64>.allocate(capacity: words)
    set.initialize(repeating: 0, count: words)
    return set
  }
}

extension [UInt8] {
  /// Returns the scalar at an index and advances the index. The UTF-8 is known to be well-formed except for surrogates.
  @inline(__always)
  fileprivate func scalar(at index: inout Int) -> UInt32 {
    let first = self[index]
    index &+= 1
    if first < 0x80 { return UInt32(first) }
    var scalar = first < 0xE0 ? UInt32(first & 0x1F) : first < 0xF0 ? UInt32(first & 0x0F) : UInt32(first & 0x07)
    while index < count, self[index] & 0xC0 == 0x80 {
      scalar = scalar << 6 | UInt32(self[index] & 0x3F)
      index &+= 1
    }
    return scalar
  }
}
