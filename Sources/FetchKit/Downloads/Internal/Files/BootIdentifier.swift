internal import Foundation

/// Identifies the current boot of the machine. Bytes written since then are still there, even if the process that wrote
/// them is not.
enum BootIdentifier {
  /// Nil if the system does not provide an identifier.
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
