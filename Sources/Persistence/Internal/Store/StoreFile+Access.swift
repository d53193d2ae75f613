internal import Foundation

extension StoreFile {
  /// The configuration for what this process may do with the file.
  ///
  /// Without the right to make files in the folder there can be no log and no index, and without the right to write to
  /// the file they would stay behind. So a file that has neither is read as one that does not change. Where they are
  /// there, somebody else is writing.
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
