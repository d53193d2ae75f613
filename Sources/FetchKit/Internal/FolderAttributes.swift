internal import Foundation

/// What the system does with the files of a folder: it protects them, and leaves them out of backups.
struct FolderAttributes {
  var protection: FileProtectionType?
  var isExcludedFromBackup: Bool

  /// Sets the attributes that differ from the defaults. Files created in the folder from now on inherit them. Does
  /// nothing on systems without such attributes.
  func apply(to path: String) throws {
    #if canImport(Darwin)
    if let protection {
      try FileManager.default.setAttributes([.protectionKey: protection], ofItemAtPath: path)
    }
    if isExcludedFromBackup {
      var values = URLResourceValues()
      values.isExcludedFromBackup = true
      var url = URL(filePath: path)
      try url.setResourceValues(values)
    }
    #endif
  }
}
