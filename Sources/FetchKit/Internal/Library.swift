/// This library, as it introduces itself to servers.
enum Library {
  /// The version of the release, or of the next one.
  static let version = "0.1.0"

  static var platform: String {
    #if os(Linux)
    "Linux"
    #elseif os(macOS)
    "macOS"
    #elseif os(iOS)
    "iOS"
    #elseif os(tvOS)
    "tvOS"
    #elseif os(watchOS)
    "watchOS"
    #elseif os(visionOS)
    "visionOS"
    #else
    "Swift"
    #endif
  }
}
