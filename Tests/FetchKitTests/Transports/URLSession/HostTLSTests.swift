import FetchKitTesting
import Foundation
import Testing

@testable import FetchKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Pinned keys and client certificates of URLSession, as far as they do not need Apple's Security framework.
@Suite(.timeLimit(.minutes(2))) struct HostTLSTests {
  private let pin = CertificateKeyTests.pin
  private let other = Data(repeating: 7, count: 32).base64EncodedString()

  private func settings(_ configure: (inout URLSessionTransport.Configuration) -> Void) -> HostTLSSettings {
    var configuration = URLSessionTransport.Configuration()
    configure(&configuration)
    return HostTLSSettings(configuration)
  }

  private func digests(_ settings: HostTLSSettings, _ url: String) throws -> Int? {
    try settings.settings(for: #require(URL(string: url)))?.tls.pins.count
  }

  @Test func `pinned keys apply to their host in any spelling, with TLS only`() throws {
    let settings = settings {
      $0.pinnedPublicKeys = ["Api.Example.org": [pin, other], "127.0.0.1": [pin], "::1": [pin]]
    }
    #expect(try digests(settings, "https://API.example.org./a?b") == 2)
    #expect(try digests(settings, "HTTPS://api.example.org:8443/") == 2)
    #expect(try digests(settings, "https://0x7f.1/") == 1)
    #expect(try digests(settings, "https://[0::1]/") == 1)
    #expect(try digests(settings, "https://example.org/") == nil)
    #expect(try digests(settings, "https://www.api.example.org/") == nil)
    #expect(try digests(settings, "http://api.example.org/") == nil)
  }

  @Test func `the keys of two spellings of a host add up, and two client certificates of it are refused`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).p12")
    try Data("archive".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let certificate = URLSessionTransport.ClientCertificate(archive: file, passphrase: "x")
    let url = "https://api.example.org/"
    let keys = settings { $0.pinnedPublicKeys = ["api.example.org": [pin], "API.example.org.": [other]] }
    #expect(try digests(keys, url) == 2)
    let one = settings { $0.clientCertificates = ["api.example.org": certificate] }
    #expect(try digests(one, url) == 0)
    let two = settings { $0.clientCertificates = ["api.example.org": certificate, "API.example.org": certificate] }
    #expect(throws: TransportError.self) { try digests(two, url) }
  }

  @Test func `a host whose spelling could hide a pinned one is refused`() throws {
    let url = try #require(URL(string: "https://%61pi.example.org/"))
    let settings = settings { $0.pinnedPublicKeys = ["api.example.org": [pin]] }
    // Where Foundation itself decodes the host, it is found.
    if let found = try? settings.settings(for: url) { #expect(found.key == "api.example.org") }
    #expect(throws: Never.self) { try self.settings { _ in }.settings(for: url) }
  }

  @Test(
    arguments: [
      ["https://api.example.org": [CertificateKeyTests.pin]], ["api.example.org:443": [CertificateKeyTests.pin]],
      ["": [CertificateKeyTests.pin]], ["api.example.org": []], ["api.example.org": ["not base64"]],
      ["api.example.org": ["sha256//" + CertificateKeyTests.pin]],
      ["api.example.org": [CertificateKeyTests.pin, "AAAA"]],
    ] as [[String: Set<String>]])
  func `with an invalid host or pinned key, no request of the transport is sent`(pins: [String: Set<String>])
    async throws
  {
    let server = try LoopbackServer()
    server.on("*", .text("here"))
    var configuration = URLSessionTransport.Configuration()
    configuration.pinnedPublicKeys = pins
    let outcome = await outcome(of: TransportRequest(.get, server.url), on: URLSessionTransport(configuration))
    #expect(outcome == "invalid")
    #expect(server.requests.isEmpty)
  }

  @Test func `with a client certificate that cannot be read, no request of the transport is sent`() async throws {
    var configuration = URLSessionTransport.Configuration()
    configuration.clientCertificates["localhost"] = .init(
      archive: URL(filePath: "/no/such/file.p12"), passphrase: "s3cret")
    let request = TransportRequest(.get, try #require(URL(string: "http://other.invalid/")))
    let error = await failure(of: request, on: URLSessionTransport(configuration))
    #expect(error?.description == "invalid request: invalid configuration: cannot read /no/such/file.p12")
  }

  @Test func `the passphrase of a client certificate appears in no description`() {
    let certificate = URLSessionTransport.ClientCertificate(archive: URL(filePath: "/a.p12"), passphrase: "s3cret")
    var text = "\(certificate)"
    dump(certificate, to: &text)
    #expect(text.contains("/a.p12") && !text.contains("s3cret"))
  }

  #if os(Linux)
  @Test func `on Linux, URLSession sends nothing to a host with pinned keys or a client certificate`() async throws {
    let accepted = Lock(0)
    let peer = try RawPeer { connection in
      accepted.withLock { $0 += 1 }
      guard connection.readHead() != nil else { return }
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    }
    let archive = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data("p12".utf8).write(to: archive)
    defer { try? FileManager.default.removeItem(at: archive) }
    for pinned in [true, false] {
      var configuration = URLSessionTransport.Configuration()
      if pinned {
        configuration.pinnedPublicKeys["127.0.0.1"] = [pin]
      } else {
        configuration.clientCertificates["127.0.0.1"] = .init(archive: archive, passphrase: "")
      }
      let transport = URLSessionTransport(configuration)
      let url = try #require(URL(string: "https://127.1:\(peer.port)/"))
      let error = await failure(of: TransportRequest(.get, url), on: transport)
      #expect(error?.word == "invalid" && error?.description.contains("CurlTransport") == true)
      // Without TLS there is no key to compare, as with libcurl; a request to another host is sent too.
      #expect(await outcome(of: TransportRequest(.get, try peer.url()), on: transport) == "200:2")
    }
    #expect(accepted.withLock { $0 } == 2)
  }
  #endif
}

/// The answers to URLSession's questions about identity.
@Suite struct TLSChallengeTests {
  private let certificate = CertificateKeyTests.certificate
  private let pinned: HostTLS
  private let shown = HostTLS(certificate: .init(archive: URL(filePath: "/a.p12"), passphrase: ""))

  init() throws {
    pinned = HostTLS(pins: [try #require(CertificateKey.digest(ofCertificate: certificate)), "00"])
  }

  @Test func `a certificate is compared with the pinned keys, and an unreadable one is refused`() {
    #expect(TLSChallenge.serverTrust(certificate).answer(for: pinned, isProxy: false) == .acceptKey)
    let wrong = TLSChallenge.serverTrust(certificate).answer(for: HostTLS(pins: ["00"]), isProxy: false)
    #expect(wrong == .refuse(reason: "the server's key is none of the pinned ones"))
    for unreadable in [nil, Data(), certificate.dropLast()] {
      let answer = TLSChallenge.serverTrust(unreadable).answer(for: pinned, isProxy: false)
      #expect(answer == .refuse(reason: "the server's certificate could not be read"))
    }
  }

  @Test func `a server without pinned keys and a proxy are verified by URLSession alone`() {
    for tls in [nil, HostTLS(), shown] {
      #expect(TLSChallenge.serverTrust(certificate).answer(for: tls, isProxy: false) == .useDefault)
    }
    for challenge in [TLSChallenge.serverTrust(nil), .clientCertificate, .other] {
      var both = pinned
      both.certificate = shown.certificate
      #expect(challenge.answer(for: both, isProxy: true) == .useDefault)
    }
  }

  @Test func `a client certificate is presented only where one is configured`() {
    #expect(TLSChallenge.clientCertificate.answer(for: shown, isProxy: false) == .presentCertificate)
    for tls in [nil, HostTLS(), pinned] {
      #expect(TLSChallenge.clientCertificate.answer(for: tls, isProxy: false) == .useDefault)
    }
    #expect(TLSChallenge.other.answer(for: shown, isProxy: false) == .useDefault)
  }

  /// A task that runs for a host with these settings, and how a challenge ends it.
  private func ending(
    of challenge: TLSChallenge, for tls: HostTLS?, failures: Int = 0, hasCertificate: Bool = true
  ) throws -> (disposition: URLSession.AuthChallengeDisposition, hasCredential: Bool, hasKnownKey: Bool, ends: Bool) {
    let core = URLSessionCore(URLSessionTransport.Configuration(), mostWaitingBytes: 0)
    let request = TransportRequest(.get, try #require(URL(string: "https://api.example.org/")))
    let exchange = URLSessionExchange(request, core, host: tls.map { ("api.example.org", $0) })
    var task = RunningTask(exchange: exchange, spooled: nil, host: "api.example.org")
    let credential = URLCredential(user: "user", password: "password", persistence: .forSession)
    let answer = task.answer(challenge, isProxy: false, failures: failures) { _ in
      hasCertificate ? credential : nil
    }
    return (answer.disposition, answer.credential != nil, task.hasKnownKey, answer.refusal != nil)
  }

  @Test func `a pinned key is noted, and only the system's verification follows`() throws {
    let pinned = try ending(of: .serverTrust(certificate), for: pinned)
    #expect(pinned == (.performDefaultHandling, false, true, false))
    let plain = try ending(of: .serverTrust(certificate), for: nil)
    #expect(plain == (.performDefaultHandling, false, false, false))
    let wrong = try ending(of: .serverTrust(certificate), for: HostTLS(pins: ["00"]))
    #expect(wrong == (.cancelAuthenticationChallenge, false, false, true))
  }

  @Test func `a client certificate is presented once, and an unreadable one ends the request`() throws {
    #expect(try ending(of: .clientCertificate, for: shown) == (.useCredential, true, false, false))
    let rejected = try ending(of: .clientCertificate, for: shown, failures: 1)
    #expect(rejected == (.cancelAuthenticationChallenge, false, false, true))
    let unreadable = try ending(of: .clientCertificate, for: shown, hasCertificate: false)
    #expect(unreadable == (.cancelAuthenticationChallenge, false, false, true))
  }
}
