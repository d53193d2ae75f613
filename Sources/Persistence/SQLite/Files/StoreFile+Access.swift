internal import Foundation

extension StoreFile {
  /// Adapts the configuration to the access rights of this process.
  ///
  /// Without permission to create files in the folder, there can be no log and no shared-memory index. Without
  /// permission to write to the file, they would be left behind. Therefore, if either permission is missing and neither
  /// file exists, the store is read as an immutable file. If one of them exists, another process is writing.
  static func settled(_ configuration: StoreConfiguration, for location: StoreLocation) -> StoreConfiguration {
    guard case .file(let url) = location, url.isFileURL, access(url.path, F_OK) == 0 else { return configuration }
    var configuration = configuration
    let isWritable = access(url.path, W_OK) == 0
    let isFolderWritable = access(url.deletingLastPathComponent().path, W_OK) == 0
    let hasLog = suffixes.contains { !$0.isEmpty && access(url.path + $0, F_OK) == 0 }
    configuration.isReadOnly = configuration.isReadOnly || !isWritable || !isFolderWritable && !hasLog
    configuration.isImmutable = !hasLog && (!isWritable || !isFolderWritable)
    return configuration
  }
}
