internal import Foundation

extension StoreFile {
  /// Sets the protection class of the store's files, and leaves them out of backups, if the configuration says so. Does
  /// nothing where the system has neither.
  ///
  /// SQLite makes a new log whenever the first connection opens the store. Called after each connection has opened it.
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
