#if os(Linux)
import CLarderCurl
import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit

@Suite struct CurlPartsTests {
  @Test func `the timeout queue returns transfers in order after any moves and removals`() throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed of the queue: \(seed)")
    var random = SplitMix(seed: seed)
    let settings = try CurlSettings(CurlTransport.Configuration(), library: CurlLibrary.load())
    let request = TransportRequest(.get, try #require(URL(string: "http://localhost/")))
    var queue = DeadlineQueue<CurlTransfer>()
    var model: [(transfer: CurlTransfer, due: Int)] = []
    for _ in 0..<3000 {
      switch random.next() % 5 {
      case 0, 1:
        let transfer = try CurlTransfer(request, settings)
        let due = Int(random.next() % 500)
        queue.insert(transfer, due: due)
        model.append((transfer, due))
      case 2 where !model.isEmpty:
        let index = Int(random.next() % UInt64(model.count))
        model[index].due = Int(random.next() % 500)
        queue.move(model[index].transfer, to: model[index].due)
      case 3 where !model.isEmpty:
        let index = Int(random.next() % UInt64(model.count))
        let due = Int(random.next() % 500)
        model[index].due = min(model[index].due, due)
        queue.advance(model[index].transfer, to: due)
      case 4 where !model.isEmpty:
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

  // A socket that was never connected has hung up: the poller reports an event immediately, and again and again.
  @Test func `a socket is watched until libcurl wants no events of it, regardless of who opened it`() throws {
    let poller = try EventPoller()
    let sockets = CurlSockets(poller)
    let address = curl_sockaddr(
      family: AF_INET, socktype: SocketKind.stream, protocol: 0, addrlen: 0, addr: sockaddr())
    func event() -> EventPoller.SocketEvent? {
      var events = [epoll_event](repeating: epoll_event(), count: 4)
      return poller.wait(into: &events, until: 0) == 1 ? poller.selection(for: events[0]) : nil
    }
    let own = sockets.open(address, to: "server")
    #expect(fcntl(own, F_GETFD) == FD_CLOEXEC)
    let foreign = socket(AF_INET, SocketKind.stream, 0)
    defer { close(foreign) }
    for socket in [own, foreign] {
      #expect(event() == nil && !sockets.wantsEvent(of: socket))
      for interest in [CURL_POLL_IN, CURL_POLL_INOUT, CURL_POLL_IN] {
        sockets.watch(socket, of: 3, for: interest)
        #expect(event()?.socket == socket && event()?.pool == 3)
        #expect(sockets.wantsEvent(of: socket))
      }
      sockets.forget(socket)
      #expect(event() == nil && !sockets.wantsEvent(of: socket))
    }
    sockets.watch(own, of: 3, for: CURL_POLL_IN)
    #expect(sockets.close(own) == 0)
    let next = sockets.open(address, to: "server")  // by the same number, unless another test was quicker
    #expect(event() == nil)
    sockets.watch(next, of: 4, for: CURL_POLL_IN)
    #expect(event()?.pool == 4)
    #expect(sockets.close(next) == 0)
  }

  @Test func `no other program inherits the file of an upload, and opening the file never blocks`() throws {
    let scratch = try Scratch()
    let file = scratch.url.appending(path: "body")
    try Data("body".utf8).write(to: file)
    let upload = try #require(try CurlUpload(.file(file), declaredLength: 4))
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init).filter {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?.hasSuffix(file.path) == true
    }
    #expect(open.count == 1)
    for descriptor in open {
      #expect(fcntl(descriptor, F_GETFD) == FD_CLOEXEC)
      #expect(fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0)
    }
    #expect(upload.length == 4)
  }

  @Test func `the socket of an idle connection leaves the poller's set at its first event`() throws {
    let poller = try EventPoller()
    let sockets = CurlSockets(poller)
    let address = curl_sockaddr(
      family: AF_INET, socktype: SocketKind.stream, protocol: 0, addrlen: 0, addr: sockaddr())
    let socket = sockets.open(address, to: "server")
    sockets.entries[Int(socket)].use = 1
    var events = [epoll_event](repeating: epoll_event(), count: 4)
    for _ in 0..<2 {
      sockets.watch(socket, of: 0, for: CURL_POLL_IN)
      #expect(poller.wait(into: &events, until: 0) == 1 && sockets.wantsEvent(of: socket))
      sockets.forget(socket)
      #expect(poller.wait(into: &events, until: 0) == 1 && !sockets.wantsEvent(of: socket))
      #expect(poller.wait(into: &events, until: 0) == 0)
    }
    #expect(sockets.close(socket) == 0)
  }

  // As libcurl 7.88 to 8.1 closes the sockets of connections that were never established.
  @Test func `a descriptor number whose socket other code closed is watched again`() throws {
    let poller = try EventPoller()
    let sockets = CurlSockets(poller)
    let address = curl_sockaddr(
      family: AF_INET, socktype: SocketKind.stream, protocol: 0, addrlen: 0, addr: sockaddr())
    let number = sockets.open(address, to: "server")
    var events = [epoll_event](repeating: epoll_event(), count: 4)
    sockets.watch(number, of: 0, for: CURL_POLL_OUT)
    // Puts another socket in its place, in one step: other tests open sockets too.
    func replace() {
      let foreign = socket(AF_INET, SocketKind.stream, 0)
      #expect(dup2(foreign, number) == number)
      close(foreign)
    }
    replace()
    sockets.forget(number)
    for _ in 0..<2 {
      sockets.watch(number, of: 0, for: CURL_POLL_IN)
      #expect(poller.wait(into: &events, until: 0) == 1)
      sockets.forget(number)
      replace()
    }
    close(number)
  }

  @Test func `header lines become a list that libcurl can traverse`() {
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
  func `valid status lines are read and invalid ones are refused`(_ line: String, _ status: Int?) {
    var reader = CurlResponseHeadReader()
    let read: Int? = Array(line.utf8).withUnsafeBytes { bytes in
      (try? reader.read(bytes)).map { _ in reader.status }
    }
    #expect(read == status)
  }
}
#endif
