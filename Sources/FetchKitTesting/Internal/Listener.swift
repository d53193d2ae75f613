internal import Dispatch
internal import FetchKit

/// Accepts connections and tracks the open ones.
///
/// `@unchecked Sendable`: `connections` and `isStopped` are accessed only on `queue`, which is serial.
final class Listener: @unchecked Sendable {
  private let socket: Socket
  private let routes: Routes
  private let queue = DispatchQueue(label: "larder.loopback-server")
  private let source: any DispatchSourceRead
  private let openDescriptors = DispatchGroup()
  private var connections: [ObjectIdentifier: Connection] = [:]
  private var isStopped = false

  init(_ socket: Socket, _ routes: Routes) {
    self.socket = socket
    self.routes = routes
    source = DispatchSource.makeReadSource(fileDescriptor: socket.descriptor, queue: queue)
  }

  func start() {
    openDescriptors.enter()
    source.setEventHandler { [self] in acceptAll() }
    source.setCancelHandler { [socket, openDescriptors] in
      socket.close()
      openDescriptors.leave()
    }
    source.activate()
  }

  /// This method must not be called on `queue`. Nothing that runs on the queue calls user code.
  func stop(_ routes: Routes) {
    queue.sync {
      guard !isStopped else { return }
      isStopped = true
      source.cancel()
      for connection in connections.values { connection.close() }
    }
    openDescriptors.wait()
    routes.seen.update { $0.isStopped = true }
  }

  private func acceptAll() {
    while !isStopped, let accepted = socket.accept() {
      openDescriptors.enter()
      let number = routes.seen.update { seen in
        seen.accepted += 1
        seen.open += 1
        return seen.accepted
      }
      let connection = Connection(accepted, number: number, queue: queue, routes: routes) { [unowned self] connection in
        connections[ObjectIdentifier(connection)] = nil
        routes.seen.update { $0.open -= 1 }
        openDescriptors.leave()
      }
      connections[ObjectIdentifier(connection)] = connection
      connection.start()
    }
  }
}
