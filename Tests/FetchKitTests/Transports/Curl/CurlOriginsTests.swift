#if os(Linux)
import Foundation
import Testing

@testable import FetchKit

/// Which of many requests to one server may open a connection, and when the others try again.
@Suite struct CurlOriginsTests {
  private var origins = CurlOrigins(openingTimeout: 100)
  private let transfers: [CurlTransfer]

  init() throws {
    let settings = try CurlSettings(CurlTransport.Configuration(), library: CurlLibrary.load())
    let url = try #require(URL(string: "https://localhost/"))
    transfers = try (0..<500).map { _ in try CurlTransfer(TransportRequest(.get, url), settings)
    }
    for transfer in transfers {
      _ = transfer.state.start()
      origins.join(transfer)
    }
    transfers[0].origin?.note(isMultiplexed: true)
  }

  /// The requests that may open a connection; the others wait.
  private mutating func open(_ transfers: [CurlTransfer], at now: Int) -> [CurlTransfer] {
    transfers.filter { transfer in
      let mayOpen = transfer.origin?.mayOpen(for: transfer, at: now) == true
      if !mayOpen { origins.wait(transfer) }
      return mayOpen
    }
  }

  private mutating func end(_ transfer: CurlTransfer, isFailure: Bool = false) {
    _ = transfer.state.end()
    origins.leave(transfer, isFailure: isFailure)
  }

  @Test mutating func `one request opens a connection, and the others try when it is ready`() {
    #expect(open(transfers, at: 0) == [transfers[0]])
    #expect(origins.next(at: 0).isEmpty)
    origins.noteConnection(of: transfers[0])
    #expect(origins.due == 0)
    let next = origins.next(at: 1)
    #expect(next == Array(transfers[1...128]))
    // The first of them finds the new connection full.
    #expect(open(Array(next.dropFirst(50)), at: 1) == [next[50]])
    #expect(origins.next(at: 1).isEmpty)
  }

  @Test mutating func `if a connection fails to open, all waiting requests try immediately`() {
    _ = open(transfers, at: 0)
    end(transfers[0], isFailure: true)
    var tried = 0
    while origins.due == 0 {
      let next = origins.next(at: 1)
      tried += next.count
      #expect(open(next, at: 1) == next)
    }
    #expect(tried == 499)
  }

  @Test mutating func `a cancelled request lets one other request open a connection`() {
    _ = open(transfers, at: 0)
    end(transfers[0])
    #expect(open(origins.next(at: 1), at: 1) == [transfers[1]])
  }

  @Test mutating func `requests stop waiting for a connection that takes too long to open`() {
    _ = open(transfers, at: 7)
    #expect(origins.due == 107)
    #expect(origins.next(at: 106).isEmpty)
    let next = origins.next(at: 107)
    #expect(next.count == 128)
    #expect(open(next, at: 107) == [transfers[1]])
    #expect(origins.next(at: 107).isEmpty && origins.due == 207)
    // The first connection is ready after all, but it is not the one that opens now.
    origins.noteConnection(of: transfers[0])
    #expect(origins.next(at: 108).isEmpty)
  }

  @Test mutating func `the end of a request wakes one that waits and none that has ended`() {
    _ = open(transfers, at: 0)
    for transfer in transfers[2..<400] { _ = transfer.state.end() }
    end(transfers[499])
    #expect(origins.next(at: 1) == [transfers[1]])
    for transfer in transfers[2..<400] { origins.leave(transfer, isFailure: false) }
    #expect(origins.next(at: 1) == Array(transfers[400..<499]))
    #expect(origins.due == 100)
    #expect(origins.next(at: 100).isEmpty && origins.due == .max)
  }
}

extension CurlTransfer: Equatable {
  static func == (one: CurlTransfer, other: CurlTransfer) -> Bool { one === other }
}
#endif
