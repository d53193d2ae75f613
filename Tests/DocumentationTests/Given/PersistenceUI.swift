public import Foundation
public import Persistence
public import SwiftUI

public final class Story: ManagedObject, Identifiable {
  @Attribute public var title = ""
  @Attribute(.indexed) public var author = ""
  @Attribute(.indexed) public var added = Date.now
  @Attribute public var isRead = false
}

public struct StoryRow: View {
  public init(story: Story) {}
  public var body: some View { Text("") }
}

public struct StoryList: View {
  public init() {}
  public var body: some View { Text("") }
}

public var container: PersistentContainer { fatalError() }
