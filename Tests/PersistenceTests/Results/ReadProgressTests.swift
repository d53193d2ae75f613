import Testing

@testable import Persistence

private final class Leaf: ManagedObject {
  @Attribute var number = 0
}

@Suite struct ReadProgressTests {
  private let schema = Schema(Leaf.self)
  private let region: ReadRegion

  init() { region = ReadRegion([ReadColumn(table: "Leaf", column: "number")], in: schema) }

  private func commit(_ number: UInt64) -> Commit { Commit(number: number, changes: ChangeSet(everythingOf: schema)) }

  private func expectOutdated(_ progress: inout ReadProgress, _ location: SourceLocation = #_sourceLocation) {
    let isOutdated = progress.beginIfOutdated()
    #expect(isOutdated, sourceLocation: location)
  }

  private func expectCurrent(_ progress: inout ReadProgress, _ location: SourceLocation = #_sourceLocation) {
    let isOutdated = progress.beginIfOutdated()
    #expect(!isOutdated, sourceLocation: location)
  }

  @Test func `a value is read once, and again after a commit that it has not seen`() {
    var progress = ReadProgress()
    expectOutdated(&progress)
    expectCurrent(&progress)
    progress.finish(seen: 3, region)
    expectCurrent(&progress)
    let late = progress.receive(commit(3))
    #expect(!late)
    let new = progress.receive(commit(4))
    #expect(new)
    let again = progress.receive(commit(5))
    #expect(!again)
    expectOutdated(&progress)
  }

  @Test func `a commit that arrives during a read counts if the read has not seen it`() {
    var progress = ReadProgress()
    expectOutdated(&progress)
    _ = progress.receive(commit(3))
    progress.finish(seen: 3, region)
    expectCurrent(&progress)
    _ = progress.receive(commit(4))
    expectOutdated(&progress)
    _ = progress.receive(commit(5))
    progress.finish(seen: 4, region)
    expectOutdated(&progress)
  }

  @Test func `after a read that failed, the next commit is signalled, whenever it arrives`() {
    var progress = ReadProgress()
    expectOutdated(&progress)
    let again = progress.fail()
    #expect(!again)
    let after = progress.receive(commit(1))
    #expect(after)
    expectOutdated(&progress)
    _ = progress.receive(commit(2))
    let retries = [progress.fail(), progress.beginIfOutdated(), progress.fail()]
    #expect(retries == [true, true, false])
    let last = progress.receive(commit(3))
    #expect(last)
  }

  @Test func `more commits than are kept during a read make the value outdated`() {
    var progress = ReadProgress()
    expectOutdated(&progress)
    for number in 1...100 as ClosedRange<UInt64> { _ = progress.receive(commit(number)) }
    progress.finish(seen: 100, region)
    expectOutdated(&progress)
  }
}
