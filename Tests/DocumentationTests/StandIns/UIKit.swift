// The declarations of UIKit that the articles use, with UIKit's signatures, so that their code is compiled where UIKit
// does not exist. Nothing here does anything.
import Foundation

public struct UIBackgroundTaskIdentifier: Hashable, Sendable {}

@MainActor public final class UIApplication {
  public static let shared = UIApplication()

  public func beginBackgroundTask(
    expirationHandler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier { UIBackgroundTaskIdentifier() }

  public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}
}

@MainActor open class UIViewController: NSObject {
  public override nonisolated init() {}
  public required init?(coder: NSCoder) {}
  open func viewDidLoad() {}
}

@MainActor open class UITableViewController: UIViewController {
  public enum Style: Sendable { case plain }

  public var tableView: UITableView { UITableView() }  // implicitly unwrapped in UIKit

  public init(style: Style) { super.init() }
  public required init?(coder: NSCoder) { super.init() }
}

extension UITableView {
  public typealias Style = UITableViewController.Style
}

@MainActor public final class UITableView {
  public func register(_ type: AnyClass?, forCellReuseIdentifier identifier: String) {}
  public func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> UITableViewCell {
    UITableViewCell()
  }
}

public protocol UIContentConfiguration {}

public struct UIListContentConfiguration: UIContentConfiguration {
  public var text: String?
}

@MainActor open class UITableViewCell: NSObject {
  public override nonisolated init() {}
  public var contentConfiguration: (any UIContentConfiguration)?
  public func defaultContentConfiguration() -> UIListContentConfiguration { UIListContentConfiguration() }
}

public struct NSDiffableDataSourceSnapshot<Section: Hashable & Sendable, Item: Hashable & Sendable>: Sendable {
  public init() {}
  public mutating func appendSections(_ sections: [Section]) {}
  public mutating func appendItems(_ items: [Item], toSection section: Section? = nil) {}
  public mutating func reconfigureItems(_ items: [Item]) {}
}

@MainActor public class UITableViewDiffableDataSource<Section: Hashable & Sendable, Item: Hashable & Sendable> {
  public typealias CellProvider = (UITableView, IndexPath, Item) -> UITableViewCell?

  public init(tableView: UITableView, cellProvider: @escaping CellProvider) {}
  public func apply(_ snapshot: NSDiffableDataSourceSnapshot<Section, Item>, animatingDifferences: Bool = true) {}
}
