/// The one place that chooses what carries requests where a configuration names nothing.
enum DefaultTransport {
  static let shared: any Transport = URLSessionTransport()
}
