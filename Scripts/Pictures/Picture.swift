import Foundation

/// A diagram in the catalogue of a module, in a light and a dark version.
struct Picture: Sendable {
  let module: String
  let name: String
  let title: String
  let width: Int
  let height: Int
  let draw: @Sendable (inout Canvas) -> Void

  /// The files, by their paths in the package.
  var files: [String: String] {
    var files: [String: String] = [:]
    for palette in [Palette.light, .dark] {
      var canvas = Canvas(palette)
      draw(&canvas)
      files["Sources/\(module)/\(module).docc/Resources/\(name)\(palette.suffix).svg"] = canvas.document(self)
    }
    return files
  }
}
