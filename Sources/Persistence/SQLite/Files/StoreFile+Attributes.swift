internal import Foundation

extension StoreConfiguration {
  /// The data protection class as flags of `sqlite3_open_v2` in Apple's SQLite, which creates the store's files with
  /// it. 0 if SQLite does not know the class. It is then set on the files once they exist.
  var protectionFlags: Int32 {
    switch fileProtection?.rawValue {
    case FileProtectionType.complete.rawValue: 0x0010_0000
    case FileProtectionType.completeUnlessOpen.rawValue: 0x0020_0000
    case FileProtectionType.completeUntilFirstUserAuthentication.rawValue: 0x0030_0000
    case FileProtectionType.none.rawValue: 0x0040_0000
    default: 0
    }
  }
}

extension StoreFile {
  /// Sets the protection class of the store's files, and leaves them out of backups, if the configuration says so. Does
  /// nothing where the system has neither.
  ///
  /// New files already have their protection class, but files of a store that was opened without one do not. SQLite
  /// makes a new log whenever the first connection opens the store. Called after each connection has opened it.
  static func setAttributes(of place: StorePlace, _ configuration: StoreConfiguration) throws(PersistenceError) {
    #if canImport(Darwin)
    guard configuration.fileProtection != nil || configuration.isExcludedFromBackup, !place.isURI,
      !configuration.isReadOnly
    else { return }
    for suffix in ["", "-wal", "-shm"] where access(place.name + suffix, F_OK) == 0 {
      do {
        if let protection = configuration.fileProtection {
          try FileManager.default.setAttributes([.protectionKey: protection], ofItemAtPath: place.name + suffix)
        }
        if configuration.isExcludedFromBackup {
          var values = URLResourceValues()
          values.isExcludedFromBackup = true
          var url = URL(filePath: place.name + suffix)
          try url.setResourceValues(values)
        }
      } catch {
        // Another connection may have removed the log in the meantime.
        if access(place.name + suffix, F_OK) == 0 { throw failure(.system, place) }
      }
    }
    #endif
  }
}
