public import Foundation

public var data: Data { fatalError() }
public var url: URL { fatalError() }
