/// Converts names as Foundation's `convertToSnakeCase` does: `myURLProperty` becomes `my_url_property`.
enum SnakeCase {
  /// A word begins at an uppercase letter; in a run of them, at the last one before a lowercase letter.
  static func name(_ name: String) -> String {
    let scalars = Array(name.unicodeScalars)
    guard !scalars.isEmpty else { return name }
    var starts = [0]
    var index = 1
    while let capital = scalars[min(index, scalars.count)...].firstIndex(where: isCapital) {
      starts.append(capital)
      guard let small = scalars[capital...].firstIndex(where: { $0.properties.generalCategory == .lowercaseLetter })
      else { break }
      if small > capital + 1 { starts.append(small - 1) }
      index = small + 1
    }
    let words = zip(starts, starts.dropFirst() + [scalars.count]).map { start, end in
      var word = String.UnicodeScalarView()
      word.append(contentsOf: scalars[start..<end])
      return String(word).lowercased()
    }
    return words.joined(separator: "_")
  }

  private static func isCapital(_ scalar: Unicode.Scalar) -> Bool {
    let category = scalar.properties.generalCategory
    return category == .uppercaseLetter || category == .titlecaseLetter
  }
}
