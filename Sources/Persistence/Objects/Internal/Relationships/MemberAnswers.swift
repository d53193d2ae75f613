/// What queries have answered about the members of to-many relationships that are not in memory.
///
/// An answer is valid until the closure ends or the members of its owner change. Outside closures, it is also valid
/// only until the next commit of any context.
struct MemberAnswers {
  enum Question: Hashable {
    case count, exists, first
    case contains(Int64)
  }

  /// How many answers are kept: about 3 MB.
  static let limit = 100_000

  private var answers: [ObjectIdentifier: [Question: [Int64: Int64]]] = [:]
  private(set) var count = 0
  /// The number of commits that had been published before the first question.
  private var commits: UInt64 = 0

  /// The answers to a question, by owner.
  subscript(question: Question, relationship: AnyObject) -> [Int64: Int64] {
    answers[ObjectIdentifier(relationship)]?[question] ?? [:]
  }

  mutating func add(_ new: [Int64: Int64], to question: Question, _ relationship: AnyObject) {
    if count + new.count > Self.limit { removeAll() }
    count += new.count
    let key = ObjectIdentifier(relationship)
    for (owner, answer) in new { answers[key, default: [:]][question, default: [:]][owner] = answer }
  }

  /// Forgets what was answered before a commit.
  mutating func removeOutdated(_ published: UInt64) {
    if published != commits { removeAll() }
    commits = published
  }

  mutating func remove(_ relationship: AnyObject, of owner: Int64) {
    let key = ObjectIdentifier(relationship)
    // Copied, so that the answers are changed in place.
    guard count > 0, let questions = answers[key].map({ Array($0.keys) }) else { return }
    for question in questions { answers[key]?[question]?[owner] = nil }
  }

  mutating func remove(_ relationship: AnyObject) {
    if count > 0 { answers[ObjectIdentifier(relationship)] = nil }
  }

  mutating func removeAll() {
    if count > 0 { answers.removeAll() }
    count = 0
  }
}
