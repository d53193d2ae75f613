import FetchKitTesting
import Foundation
import Testing

@testable import FetchKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct URLSessionConfigurationTests {
  @Test(arguments: [false, true]) func `a transport's settings reach its session`(isOn: Bool) {
    var configuration = URLSessionTransport.Configuration()
    configuration.connectionsPerHost = 3
    configuration.allowsCellularAccess = isOn
    #if canImport(Darwin)
    configuration.waitsForConnectivity = isOn
    configuration.allowsExpensiveNetworkAccess = isOn
    configuration.allowsConstrainedNetworkAccess = isOn
    #endif
    let core = URLSessionCore(configuration, mostWaitingBytes: 1)
    defer { core.invalidate() }
    #expect(core.settings.httpMaximumConnectionsPerHost == 3)
    #expect(core.settings.allowsCellularAccess == isOn)
    #if canImport(Darwin)
    #expect(core.settings.waitsForConnectivity == isOn)
    #expect(core.settings.allowsExpensiveNetworkAccess == isOn)
    #expect(core.settings.allowsConstrainedNetworkAccess == isOn)
    #endif
  }

  @Test func `a transport with a configuration of no connections still sends`() async throws {
    let server = try LoopbackServer()
    server.on("/", .text("here"))
    var configuration = URLSessionTransport.Configuration()
    configuration.connectionsPerHost = 0
    let transport = URLSessionTransport(configuration)
    let client = FetchClient { $0.transport = transport }
    #expect(try await client.fetch(server.url, .string) == "here")
  }
}
