public import FetchKit
public import FetchKitTesting
public import Foundation

public struct Movie: Codable, Sendable {}

public var client: FetchClient { fatalError() }
public var clock: ManualClock { fatalError() }
public var server: LoopbackServer { fatalError() }
public var cassette: URL { fatalError() }
