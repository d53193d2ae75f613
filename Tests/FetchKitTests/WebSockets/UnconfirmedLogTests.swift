import Testing

@testable import FetchKit

struct UnconfirmedLogTests {
  private func log(_ texts: [String], limit: Int = 10 * 68) -> UnconfirmedLog {
    var log = UnconfirmedLog(limit: limit)
    for text in texts { _ = log.append(.text(text)) }
    return log
  }

  @Test func `what exceeds the bytes is dropped from the front, and said`() {
    var log = log(["aaaa", "bbbb", "cccc"], limit: 2 * 68)
    var expected = WebSocketUnconfirmed()
    expected.messages = ["bbbb", "cccc"]
    expected.isTruncated = true
    #expect(log.all == expected)
    // The dropped one is confirmed.
    log.confirm(through: 1)
    expected.isTruncated = false
    log.beginConnection(isSettled: false)
    #expect(log.takeEarlier() == expected)
    #expect(log.all == WebSocketUnconfirmed())
  }

  @Test func `a dropped message that is not confirmed stays missing`() {
    var log = log(["aaaa", "bbbb"], limit: 3)
    log.confirm(through: 1)
    var expected = WebSocketUnconfirmed()
    expected.isTruncated = true
    #expect(log.all == expected)
  }

  @Test(arguments: [0, -1, Int.min]) func `a limit without room keeps nothing, and says so`(limit: Int) {
    let log = log(["aaaa", ""], limit: limit)
    #expect(log.all.messages.isEmpty && log.all.isTruncated)
  }

  @Test func `empty messages fill the log too`() {
    let log = log(Array(repeating: "", count: 1000), limit: 64 * 10)
    let unconfirmed = log.all
    #expect(unconfirmed.messages.count == 10 && unconfirmed.isTruncated)
  }

  @Test func `a ping confirms what its own connection has sent`() {
    var log = log(["1", "2"])
    log.beginConnection(isSettled: false)
    for text in ["3", "4"] { _ = log.append(.text(text)) }
    log.confirmByPing(through: 3)
    #expect(log.all.messages == ["1", "2", "4"])
    log.confirm(through: 1)
    #expect(log.all.messages == ["2", "4"])
    _ = log.append("5")
    log.confirmByPing(through: 5)
    #expect(log.all.messages == ["2", "4", "5"])
  }

  @Test func `what was settled is in no gap, and stays until a ping on its connection or a confirmation`() {
    var log = log(["1", "2"])
    log.beginConnection(isSettled: true)
    _ = log.append("3")
    #expect(log.takeEarlier() == WebSocketUnconfirmed())
    #expect(log.all.messages == ["1", "2", "3"])
    log.confirmByPing(through: 2)
    #expect(log.all.messages == ["3"])
    log.beginConnection(isSettled: false)
    #expect(log.takeEarlier().messages == ["3"] && log.all == WebSocketUnconfirmed())
  }

  @Test func `what was dropped is missing in the first gap that could have had it`() {
    var log = log(["aaaa", "bbbb"], limit: 68)
    log.beginConnection(isSettled: false)
    _ = log.append("cccc")
    #expect(log.takeEarlier().isTruncated)
    #expect(!log.all.isTruncated && log.all.messages == ["cccc"])
    _ = log.append("dddd")
    #expect(log.all.isTruncated)
    log.beginConnection(isSettled: true)
    #expect(!log.takeEarlier().isTruncated && log.all.isTruncated)
  }

  @Test func `numbers that were never sent confirm nothing`() {
    var log = log(["a"])
    log.confirm(through: 2)
    log.confirm(through: 0)
    #expect(log.all.messages == ["a"])
  }
}
