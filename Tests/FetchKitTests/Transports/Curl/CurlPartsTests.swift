#if os(Linux)
import CCurl
import Foundation
import TestSupport
import Testing

@testable import FetchKit

@Suite struct CurlPartsTests {
  @Test func `the queue of deadlines hands them out in order, whatever was moved and removed`() throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed of the queue: \(seed)")
    var random = SplitMix(seed: seed)
    let settings = try CurlSettings(CurlTransport.Configuration(), library: CurlLibrary.loaded.get())
    let request = TransportRequest(.get, try #require(URL(string: "http://localhost/")))
    var queue = DeadlineQueue()
    var model: [(transfer: CurlTransfer, due: Int)] = []
    for _ in 0..<3000 {
      switch random.next() % 4 {
      case 0, 1:
        let transfer = try CurlTransfer(request, settings: settings)
        let due = Int(random.next() % 500)
        queue.insert(transfer, due: due)
        model.append((transfer, due))
      case 2 where !model.isEmpty:
        let index = Int(random.next() % UInt64(model.count))
        model[index].due = Int(random.next() % 500)
        queue.move(model[index].transfer, to: model[index].due)
      case 3 where !model.isEmpty:
        let index = Int(random.next() % UInt64(model.count))
        queue.remove(model.remove(at: index).transfer)
      default: break
      }
      #expect(queue.first?.due == model.map(\.due).min())
      #expect(queue.isEmpty == model.isEmpty)
    }
    while let first = queue.first {
      #expect(first.due == model.map(\.due).min())
      model.removeAll { $0.transfer === first.transfer }
      queue.remove(first.transfer)
    }
    #expect(model.isEmpty)
  }

  @Test func `header lines become a list libcurl can walk`() {
    for lines in [["A: b"], ["A: b", "", "Grüße: ü", String(repeating: "x", count: 10_000)]] {
      let block = CurlHeaderBlock(lines)
      var read: [String] = []
      var node = Optional(block.first)
      while let current = node {
        if let text = current.pointee.data { read.append(String(cString: text)) }
        node = current.pointee.next
      }
      #expect(read == lines)
    }
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\n", 200), ("HTTP/2 404 \r\n", 404), ("HTTP/1.0 299\r\n", 299), ("HTTP/1.1  201 Two\r\n", 201),
    ("HTTP/1.1 99 Low\r\n", nil), ("HTTP/1.1 20a\r\n", nil), ("HTTP/1.1 2000\r\n", nil), ("HTTP/1.1\r\n", nil),
    ("HTTP/x 200\r\n", nil), ("HTTP/1. 200\r\n", nil), ("HTTP/\r\n", nil), ("HTTP/1.1 \r\n", nil),
  ])
  func `a status line is read or refused`(_ line: String, _ status: Int?) {
    var reader = CurlResponseHeadReader()
    let read: Int? = Array(line.utf8).withUnsafeBytes { bytes in
      (try? reader.read(bytes)).map { _ in reader.status }
    }
    #expect(read == status)
  }
}
#endif
