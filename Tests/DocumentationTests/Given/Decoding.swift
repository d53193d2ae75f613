public import Decoding
public import Foundation

public struct Movie: Decodable, Sendable {}
public struct Photo: Decodable, Sendable {}
public struct Event: Decodable, Sendable {}

public var data: Data { fatalError() }
public var text: String { fatalError() }
public var chunks: AsyncStream<Data> { fatalError() }
public var document: JSONDocument { fatalError() }
public var json: NestedDecoder { fatalError() }
nonisolated(unsafe) public var released = Date()
nonisolated(unsafe) public var pages: Int?
