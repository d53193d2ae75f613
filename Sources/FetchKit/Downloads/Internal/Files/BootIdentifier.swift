internal import Foundation

/// Which start of the machine this is: what was handed to the system since is still there, whatever became of the
/// process that wrote it.
enum BootIdentifier {
  /// Nil where the system does not say.
  static let current: String? = {
    #if canImport(Darwin)
    var bytes = [UInt8](repeating: 0, count: 64)
    var count = bytes.count
    guard sysctlbyname("kern.bootsessionuuid", &bytes, &count, nil, 0) == 0 else { return nil }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    #else
    let data = FileManager.default.contents(atPath: "/proc/sys/kernel/random/boot_id")
    return data.map { String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines) }
    #endif
  }()
}
