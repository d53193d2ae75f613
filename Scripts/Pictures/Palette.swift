/// The colours of a picture.
struct Palette {
  let suffix: String
  let ink: String
  let quiet: String
  let line: String
  let fills: [Style: (fill: String, edge: String)]

  static let light = Palette(
    suffix: "", ink: "#1d1d1f", quiet: "#5f6368", line: "#6e7377",
    fills: [
      .plain: ("#ffffff", "#b8bcc2"), .lane: ("#f5f6f8", "#d8dbdf"), .main: ("#e3effd", "#4a86c8"),
      .store: ("#ece6f8", "#8060b8"), .good: ("#e2f3e6", "#3f8f58"), .bad: ("#fce4e2", "#c04a40"),
      .wait: ("#fdf1d8", "#b88a20"),
    ])
  static let dark = Palette(
    suffix: "~dark", ink: "#f2f2f4", quiet: "#a8adb4", line: "#9a9fa6",
    fills: [
      .plain: ("#26282c", "#5c6168"), .lane: ("#1b1d20", "#3a3e44"), .main: ("#17324f", "#5f9ee0"),
      .store: ("#31264a", "#a486dc"), .good: ("#183823", "#5cb87a"), .bad: ("#4a1d1a", "#e0736a"),
      .wait: ("#423414", "#d8a93c"),
    ])
}

/// What a box is about.
enum Style {
  case plain, lane, main, store, good, bad, wait
}
