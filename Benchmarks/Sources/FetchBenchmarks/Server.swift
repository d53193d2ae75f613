import FetchKitTesting
import Foundation

/// The server that every contender asks: nginx where it is installed, else our own; a child process either way, so that
/// the CPU time of this process is the client's.
///
/// `/1k` and `/40k` are bodies of that size, `/500m` and `/1g` large ones, `/hang` is not answered within an hour.
struct Server {
  static let childArgument = "serve"
  static let largest = 1 << 30
  static let sizes = ["/1k": 1 << 10, "/40k": 40 << 10, "/500m": 500 << 20, "/1g": largest]
  static var kind: String { nginx == nil ? "our own server (nginx is not installed)" : "nginx" }

  let root: URL
  /// The same over TLS, and whose certificate is to be trusted there; nil without nginx and openssl.
  let secure: (root: URL, authority: URL)?
  /// The child ends when it can no longer read from us, however we ended.
  private let lifeline = Pipe()

  /// Started at first use, and kept.
  static let shared = Result { try Server() }

  static func url(_ path: String) throws -> URL { try shared.get().root.appending(path: path) }

  private init() throws {
    let child = Process()
    child.executableURL = URL(filePath: "/bin/sh")
    child.standardInput = lifeline
    // The child is killed because threads of Swift's block SIGTERM, which children inherit. Our end in the child's own
    // hands would keep it waiting for ever.
    _ = fcntl(lifeline.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
    let port: UInt16
    var securePort: UInt16?
    var authority: URL?
    if let nginx = Self.nginx {
      child.standardOutput = FileHandle.nullDevice
      let folder = FileManager.default.temporaryDirectory.appending(path: "larder-bench-nginx-\(UUID().uuidString)")
      try Self.fill(folder)
      port = try Self.freePort()
      authority = try Self.makeCertificate(in: folder)
      securePort = authority == nil ? nil : try Self.freePort()
      try Self.configuration(port: port, securePort: securePort).write(
        to: folder.appending(path: "nginx.conf"), atomically: true, encoding: .utf8)
      child.arguments = [
        "-c", #""$0" -p "$1" -c nginx.conf -e error.log & child=$!; read _; kill -9 $child; rm -r "$1""#, nginx,
        folder.path,
      ]
      try child.run()
    } else {
      let output = Pipe()
      child.standardOutput = output
      child.arguments = ["-c", #"exec "$0" \#(Self.childArgument)"#, try Self.executable()]
      try child.run()
      let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      guard let announced = UInt16(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
        throw CocoaError(.executableLoad)
      }
      port = announced
    }
    guard let root = URL(string: "http://127.0.0.1:\(port)") else { throw CocoaError(.coderInvalidValue) }
    self.root = root
    if let securePort, let authority, let root = URL(string: "https://localhost:\(securePort)") {
      secure = (root, authority)
    } else {
      secure = nil
    }
    try Self.wait(for: port)
  }

  /// What the child does where there is no nginx: serves until its input ends.
  static func serve() async -> Never {
    do {
      let server = try LoopbackServer()
      for (path, size) in sizes {
        server.on(path) { _ in
          LoopbackResponse(
            body: size > 1 << 20 ? .repeated(Data(count: 1 << 16), count: size >> 16) : .data(Data(count: size)))
        }
      }
      server.on("/hang", .status(204).delayed(by: .seconds(3600)))
      print(server.port)
      fflush(nil)
      while !FileHandle.standardInput.availableData.isEmpty {}
      exit(0)
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  private static func fill(_ folder: URL) throws {
    try FileManager.default.createDirectory(at: folder.appending(path: "files"), withIntermediateDirectories: true)
    for (path, size) in sizes {
      let file = folder.appending(path: "files\(path)")
      try Data().write(to: file)
      // A hole, which takes no room and no disk.
      let handle = try FileHandle(forWritingTo: file)
      try handle.truncate(atOffset: UInt64(size))
      try handle.close()
    }
  }

  /// Makes a certificate for localhost, signed by itself; nil without openssl.
  private static func makeCertificate(in folder: URL) throws -> URL? {
    guard let openssl = program("openssl") else { return nil }
    let child = Process()
    child.executableURL = URL(filePath: openssl)
    child.currentDirectoryURL = folder
    child.arguments =
      "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -keyout key.pem -out certificate.pem"
      .split(separator: " ").map(String.init) + ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    child.standardError = FileHandle.nullDevice
    try child.run()
    child.waitUntilExit()
    return child.terminationStatus == 0 ? folder.appending(path: "certificate.pem") : nil
  }

  private static func configuration(port: UInt16, securePort: UInt16?) -> String {
    let secure =
      securePort.map {
        """
          server {
            listen 127.0.0.1:\($0) ssl http2 backlog=4096;
            ssl_certificate certificate.pem;
            ssl_certificate_key key.pem;
            ssl_protocols TLSv1.2 TLSv1.3;
            root files;
          }
        """
      } ?? ""
    return """
      daemon off;
      master_process off;
      pid pid;
      events { worker_connections 19000; }
      http {
        access_log off;
        sendfile on;
        tcp_nopush on;
        keepalive_requests 1000000000;
        keepalive_timeout 1h;
        open_file_cache max=16 inactive=1h;
        client_body_temp_path body;
        proxy_temp_path proxy;
        fastcgi_temp_path fastcgi;
        uwsgi_temp_path uwsgi;
        scgi_temp_path scgi;
        server {
          listen 127.0.0.1:\(port) backlog=4096;
          root files;
          # Who names no password is told so an hour later: a request that hangs and takes no upstream's descriptor.
          location = /hang { auth_basic hang; auth_basic_user_file /dev/null; auth_delay 3600s; }
          location = /status { stub_status; }
        }
      \(secure)
      }
      """
  }

  private static let nginx = program("nginx")

  private static func program(_ name: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return (path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin"]).lazy
      .map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  private static func executable() throws -> String {
    guard let path = Bundle.main.executablePath else { throw CocoaError(.executableNotLoadable) }
    return path
  }

  private static func freePort() throws -> UInt16 {
    let server = try LoopbackServer()
    server.stop()
    return server.port
  }

  private static func wait(for port: UInt16) throws {
    for _ in 0..<2000 {
      if Connection.isAccepted(port) { return }
      usleep(5000)  // nothing tells when nginx listens
    }
    throw CocoaError(.executableLoad)
  }
}

private enum Connection {
  static func isAccepted(_ port: UInt16) -> Bool {
    #if canImport(Glibc)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
