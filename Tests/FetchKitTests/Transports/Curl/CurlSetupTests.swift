#if os(Linux)
import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit

@Suite(.timeLimit(.minutes(10))) struct CurlSetupTests {
  private func library(
    version: UInt32 = 0x07_58_01, hasTLS: Bool = true, hasAsynchronousLookup: Bool = true, hasHTTPSProxy: Bool = true
  ) -> CurlLibrary {
    CurlLibrary(
      version: version, text: "7.x", hasTLS: hasTLS, hasAsynchronousLookup: hasAsynchronousLookup,
      hasHTTPSProxy: hasHTTPSProxy)
  }

  private func problem(
    _ library: CurlLibrary, _ configure: (inout CurlTransport.Configuration) -> Void = { _ in }
  ) -> CurlTransport.SetupError? {
    do throws(CurlTransport.SetupError) {
      var configuration = CurlTransport.Configuration()
      configure(&configuration)
      try library.check()
      _ = try CurlSettings(configuration, library: library)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a libcurl that is too old or lacks a feature is refused with what it lacks`() {
    #expect(problem(library()) == nil)
    #expect(problem(library(version: 0x07_50_00)) == nil)
    #expect(problem(library(version: 0x07_4F_01)) == .libraryTooOld(version: "7.x", needed: "7.80"))
    #expect(problem(library(hasAsynchronousLookup: false)) == .missing(.asynchronousLookup))
    #expect("\(CurlTransport.SetupError.missing(.tls))" == "the installed libcurl lacks TLS")
  }

  @Test func `a libcurl without TLS serves http, and refuses https and every TLS option`() throws {
    let small = library(hasTLS: false)
    #expect(problem(small) == nil)
    #expect(problem(small) { $0.minimumTLS = .tls13 } == .missing(.tls))
    #expect(problem(small) { $0.insecure = ["localhost"] } == .missing(.tls))
    #expect(problem(small) { $0.pinnedPublicKeys["a"] = [Data(count: 32).base64EncodedString()] } == .missing(.tls))
    let settings = try CurlSettings(CurlTransport.Configuration(), library: small)
    let https = TransportRequest(.get, try #require(URL(string: "https://localhost/")))
    #expect {
      try CurlTransfer(https, settings)
    } throws: {
      ($0 as? TransportError).map(Outcome.init) == .failed("tls")
    }
  }

  @Test func `an invalid transport configuration is refused`() throws {
    let pin = Data(count: 32).base64EncodedString()
    let missing = URL(filePath: "/no/such/file.pem")
    let nonsense: [(inout CurlTransport.Configuration) -> Void] = [
      { $0.connectionsPerHost = 0 },
      { $0.connectionsPerHost = -1 },
      { $0.maxIdleConnections = 0 },
      { $0.streamBuffer = 0 },
      { $0.pinnedPublicKeys["localhost"] = [] },
      { $0.pinnedPublicKeys["localhost"] = ["sha256//\(pin)"] },
      { $0.pinnedPublicKeys["localhost"] = ["c2hvcnQ="] },
      { $0.pinnedPublicKeys["https://localhost"] = [pin] },
      { $0.pinnedPublicKeys["localhost:443"] = [pin] },
      { $0.pinnedPublicKeys[""] = [pin] },
      { $0.pinnedPublicKeys["bücher.example"] = [pin] },
      { $0.insecure = ["a.example/b"] },
      { $0.insecure = ["me@a.example"] },
      { $0.certificateAuthorities = .only(.file(missing)) },
      { $0.clientCertificates["localhost"] = .init(certificate: .file(missing), key: .file(missing)) },
      { $0.proxy = .server(URL(filePath: "/a/file")) },
    ]
    for (index, configure) in nonsense.enumerated() {
      guard case .invalidConfiguration = problem(library(), configure) else {
        Issue.record("configuration \(index) was accepted")
        continue
      }
    }
    let proxy = try #require(URL(string: "https://proxy.example"))
    #expect(problem(library(hasHTTPSProxy: false)) { $0.proxy = .server(proxy) } == .missing(.tlsToProxy))
  }

  @Test func `a host is recognized in any spelling`() throws {
    let pin = Data(count: 32).base64EncodedString()
    func key(_ url: String) throws -> String? { HostKey.of(try #require(URL(string: url))) }
    #expect(try key("https://Example.COM./a") == key("https://example.com:8443/b"))
    #expect(try key("https://[::1]:443/") == "::1")
    var configuration = CurlTransport.Configuration()
    configuration.pinnedPublicKeys = ["XN--bcher-kva.example": [pin], "::1": [pin]]
    configuration.insecure = ["[::2]"]
    let settings = try CurlSettings(configuration, library: library())
    #expect(settings.tls(for: "xn--bcher-kva.example").pins == "sha256//\(pin)")
    #expect(settings.tls(for: "::1").pins == "sha256//\(pin)")
    #expect(settings.tls(for: "::2").isInsecure)
    #expect(settings.tls(for: "other").pins == nil)
  }

  @Test func `an IP address is recognized in any spelling`() throws {
    let pin = Data(count: 32).base64EncodedString()
    var configuration = CurlTransport.Configuration()
    configuration.pinnedPublicKeys = ["127.0.0.1": [pin], "fe80::1": [pin]]
    configuration.insecure = ["0:0:0:0:0:0:0:2"]
    let settings = try CurlSettings(configuration, library: library())
    for host in ["127.0.0.1", "127.1", "0x7F.0.0.1", "0x7f000001", "2130706433", "0177.0.0.01", "[fe80:0::0:1]"] {
      let url = try #require(URL(string: "https://\(host)/"))
      let key = try #require(HostKey.of(url))
      #expect(settings.tls(for: key).pins == "sha256//\(pin)", "\(host)")
    }
    #expect(settings.tls(for: "::2").isInsecure)
    #expect(!settings.tls(for: "::3").isInsecure)
    #expect(settings.tls(for: "127.0.0.2").pins == nil)
  }

  @Test func `a host in non-ASCII spelling cannot evade the rules for it`() async throws {
    let transport = try CurlTransport { $0.proxy = .none }
    for text in ["http://loc%61lhost:1/", "http://bücher.example:1/"] {
      let url = try #require(URL(string: text))
      let key = HostKey.of(url)
      // Where Foundation itself converts the host, the key is its result.
      if key == "localhost" || key == "xn--bcher-kva.example" { continue }
      #expect(await transport.outcome(of: url) == .failed("invalid request"))
    }
  }

  @Test func `a released transport ends its thread and closes its descriptors and connections`() async throws {
    let server = try LoopbackServer()
    server.on("/", .text("x"))
    for _ in 0..<20 {
      weak var loop: (any CurlEngine)?
      do {
        let transport = try CurlTransport { $0.proxy = .none }
        loop = transport.engine
        #expect(await transport.outcome(of: server.url) == .response(200, "x"))
        #expect(loop != nil)
      }
      // The thread holds the loop until it has read its last message; epoll and eventfd are closed with the loop.
      #expect(await eventually { loop == nil })
    }
    await server.allConnectionsClosed()
  }

  @Test func `a transport that could not be set up is set up by a later request`() async throws {
    let server = try LoopbackServer()
    server.on("/", .text("x"))
    let failures = Lock([
      CurlTransport.SetupError.noResources(reason: "no descriptor"), .libraryTooOld(version: "7.0", needed: "7.80"),
    ])
    let transport = LazyCurlTransport { () throws(CurlTransport.SetupError) in
      if let failure = failures.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw failure }
      return try CurlTransport { $0.proxy = .none }
    }
    #expect(await transport.outcome(of: server.url) == .failed("noResources"))
    #expect(await transport.outcome(of: server.url) == .failed("invalid request"))
    for _ in 0..<2 { #expect(await transport.outcome(of: server.url) == .response(200, "x")) }
    #expect(server.acceptedConnections == 1)
  }

  @Test func `the default transport sends in the caller's task, as the one that it creates does`() {
    #expect(DefaultTransport.shared is any InterruptibleTransport)
  }

  /// In its own process, which has no free descriptor for a while.
  @Test func `without free descriptors requests fail with that reason, and succeed when there are some`() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 256, rlim_max: 256)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let servers = try [LoopbackServer(), LoopbackServer()]
      let client = FetchClient { $0.retry = .none }
      // At first the transport is not set up yet, then it is, and needs another connection.
      for server in servers {
        server.on("/", .text("x"))
        var taken: [Int32] = []
        while case let descriptor = dup(0), descriptor >= 0 { taken.append(descriptor) }
        let order = HTTPRequest(.post, server.url, body: .data(Data("order".utf8)))
        for request in [HTTPRequest(.get, server.url), order] {
          do throws(FetchError) {
            _ = try await client.fetch(request, .string)
            exit(2)
          } catch {
            // Nothing was sent, so that a POST may be retried too.
            guard case .connection(.noResources, _) = error else { exit(3) }
            guard RetryState.Failure(error, policy: .standard, now: Date()).nothingSent else { exit(5) }
          }
        }
        for descriptor in taken { close(descriptor) }
        guard try await client.fetch(order, .string) == "x", server.requests.count == 1 else { exit(4) }
        guard try await client.fetch(server.url, .string) == "x" else { exit(4) }
      }
      exit(0)
    }
  }

  /// Frees descriptors when a fetch is about to be retried.
  private final class Relief: EventMonitor {
    let taken = Lock<[Int32]>([])

    func exhaust() {
      while case let descriptor = dup(0), descriptor >= 0 { taken.withLock { $0.append(descriptor) } }
    }

    func receive(_ event: FetchEvent) {
      guard case .retrying(.connection(.noResources, _), _) = event.kind else { return }
      taken.withLock { taken in
        for descriptor in taken { close(descriptor) }
        taken = []
      }
    }
  }

  @Test func `a request that failed for lack of descriptors is sent on a retry once there are some`() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 256, rlim_max: 256)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let relief = Relief()
      let client = FetchClient {
        $0.retry = .standard
        $0.retry.baseDelay = .milliseconds(1)
        $0.monitors = [relief]
      }
      // At first the transport is not set up yet.
      for body in ["order", "order", nil] {
        let server = try LoopbackServer()
        server.on("/", .text("x"))
        relief.exhaust()
        var request = HTTPRequest(.get, server.url)
        if let body { request = HTTPRequest(.post, server.url, body: .data(Data(body.utf8))) }
        guard try await client.fetch(request, .string) == "x", server.requests.count == 1 else { exit(2) }
      }
      exit(0)
    }
  }

  @Test func `a transport's dump does not show the proxy's password`() throws {
    let url = try #require(URL(string: "http://user:s3cret@proxy.example:3128"))
    let transport = try CurlTransport { $0.proxy = .server(url) }
    var text = ""
    dump(transport, to: &text)
    dump(FetchClient { $0.transport = transport }, to: &text)
    #expect(!text.isEmpty && !text.contains("s3cret"))
  }
}
#endif
