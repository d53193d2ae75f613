/// The ways to compare texts. The folded ones ignore case and diacritics, see ``TextFolding``. The others compare UTF-8
/// bytes.
enum TextMatch: Sendable {
  case contains, begins, ends
  case foldedContains, foldedBegins, foldedEnds, foldedEquals, foldedLike
}
