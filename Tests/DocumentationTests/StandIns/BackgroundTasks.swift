// The declarations of Apple's BackgroundTasks that the articles use, with Apple's signatures, so that their code is
// compiled where the framework does not exist. Nothing here does anything.
public import Foundation

open class BGTaskRequest: NSObject {
  public var earliestBeginDate: Date?
}

public final class BGAppRefreshTaskRequest: BGTaskRequest {
  public init(identifier: String) { super.init() }
}

public final class BGTaskScheduler: NSObject, Sendable {
  public static let shared = BGTaskScheduler()

  public func submit(_ request: BGTaskRequest) throws {}
}
