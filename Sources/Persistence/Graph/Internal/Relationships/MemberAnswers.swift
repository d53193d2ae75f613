/// What queries have answered about the members of to-many relationships that are not in memory.
///
/// An answer is valid until the closure ends or the members of its owner change. Outside closures, it is also valid
/// only until the next commit of any context.
struct MemberAnswers {
  enum Question: CaseIterable {
    case count, exists, first
  }

  private struct Key: Hashable {
    let relationship: ObjectIdentifier
    let question: Question
    let owner: Int64
  }

  /// How many answers are kept: about 4 MB.
  static let limit = 98_000

  private var answers: [Key: Int64] = [:]
  /// The number of commits that had been published before the first question.
  private var commits: UInt64 = 0

  var count: Int { answers.count }

  subscript(question: Question, relationship: AnyObject, owner: Int64) -> Int64? {
    get { answers[Key(relationship: ObjectIdentifier(relationship), question: question, owner: owner)] }
    set {
      if answers.count >= Self.limit { answers.removeAll() }
      answers[Key(relationship: ObjectIdentifier(relationship), question: question, owner: owner)] = newValue
    }
  }

  /// Forgets what was answered before a commit.
  mutating func removeOutdated(_ published: UInt64) {
    if published != commits { removeAll() }
    commits = published
  }

  mutating func remove(_ relationship: AnyObject, of owner: Int64) {
    if count == 0 { return }
    for question in Question.allCases { self[question, relationship, owner] = nil }
  }

  mutating func removeAll() {
    if count > 0 { answers.removeAll() }
  }
}
