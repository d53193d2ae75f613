let persistencePictures = [
  Picture(
    module: "Persistence", name: "contexts", title: "Who may touch what", width: 720, height: 330
  ) { canvas in
    let lanes = [
      ("Main actor", "ViewContext", "its objects\nused by main-actor code", Style.main),
      ("Queue of context A", "ObjectContext", "its objects\nonly inside persist { }", .plain),
      ("Queue of context B", "ObjectContext", "its objects\nonly inside perform { }", .plain),
    ]
    for (index, lane) in lanes.enumerated() {
      let x = 10 + index * 240
      canvas.box(x, 10, 220, 200, lane.0, .lane)
      canvas.box(x + 16, 40, 188, 40, lane.1, lane.3)
      canvas.box(x + 16, 100, 188, 48, lane.2, lane.3)
      canvas.box(x + 16, 164, 188, 30, "a consistent snapshot", .store)
      canvas.arrow((x + 110, 80), (x + 110, 98))
      canvas.arrow((x + 110, 194), (x + 110, 234))
    }
    for x in [214, 454] {
      canvas.arrow((x, 53), (x + 50, 53))
      canvas.arrow((x + 52, 67), (x + 2, 67))
    }
    canvas.box(10, 236, 700, 36, "One SQLite file: any number of readers, one writer at a time", .store)
    canvas.label(360, 298, "Between contexts: ObjectID, values, change sets.", anchor: "middle", bold: true)
    canvas.label(
      360, 317, "Code that lets an object leave its context does not compile.", anchor: "middle", quiet: true)
  },
  Picture(
    module: "Persistence", name: "three-way-merge", title: "How a save merges", width: 720, height: 320
  ) { canvas in
    let columns = [
      (150, "Read here", Style.plain), (290, "Changed here", .main), (430, "Saved elsewhere", .wait),
      (570, "Stored", .good),
    ]
    let rows = [
      ("title", ["Fargo", "Fargo (1996)", "Fargo", "Fargo (1996)"]),
      ("rating", ["8.0", "8.0", "8.1", "8.1"]),
      ("views", ["1", "increment by 1", "2", "3"]),
      ("year", ["1995", "1996", "1997", "MergePolicy"]),
    ]
    for column in columns { canvas.label(column.0 + 65, 28, column.1, anchor: "middle", bold: true) }
    for (index, row) in rows.enumerated() {
      let top = 46 + index * 54
      canvas.label(20, top + 25, row.0, bold: true)
      for (column, text) in zip(columns, row.1) {
        let isPlain = column.0 != 570 && text == row.1[0]
        let style = index == 3 && column.0 == 570 ? Style.bad : isPlain ? .plain : column.2
        canvas.box(column.0, top, 130, 40, text, style)
      }
    }
    canvas.label(
      360, 284, "Both sides have set year. By default, the save throws a conflict with all three values.",
      anchor: "middle", quiet: true)
    canvas.label(360, 304, "Nothing is overwritten unnoticed.", anchor: "middle", bold: true)
  },
  Picture(
    module: "Persistence", name: "history-undo", title: "History and undo", width: 720, height: 250
  ) { canvas in
    let commits = [
      ("Commit 1", "insert", Style.plain), ("Commit 2", "title = Fargo", .main),
      ("Commit 3", "another context", .plain),
      ("Commit 4", "undo of 2", .good), ("Commit 5", "redo of 2", .main),
    ]
    for (index, commit) in commits.enumerated() {
      let x = 14 + index * 142
      canvas.box(x, 80, 122, 52, "\(commit.0)\n\(commit.1)", commit.2)
      if index > 0 { canvas.arrow((x - 20, 106), (x - 2, 106)) }
    }
    canvas.arrow((288, 34), (288, 76))
    canvas.label(288, 26, "HistoryToken of the last launch", anchor: "middle", bold: true)
    canvas.arrow((296, 62), (706, 62))
    canvas.label(500, 54, "changes(since: token)", anchor: "middle", quiet: true)
    canvas.arrow((501, 134), (501, 166), (217, 166), (217, 134), dashed: true)
    canvas.label(
      360, 184, "the title is as before; attributes that commit 3 changed keep their values", anchor: "middle",
      quiet: true)
    canvas.label(
      360, 222, "Undo and redo are commits, reported like any other.", anchor: "middle", bold: true)
  },
  Picture(
    module: "Persistence", name: "migration", title: "Opening a store of an older version", width: 720, height: 330
  ) { canvas in
    canvas.box(20, 20, 190, 50, "Store, version 1", .store)
    canvas.box(20, 110, 190, 50, "Schema of the classes\nversion 2", .main)
    canvas.box(270, 65, 190, 50, "Compare")
    canvas.arrow((210, 45), (240, 45), (240, 82), (268, 82))
    canvas.arrow((210, 135), (240, 135), (240, 98), (268, 98))
    canvas.box(510, 20, 190, 50, "Inferred steps\nadded attributes, indexes", .good)
    canvas.box(510, 110, 190, 50, "MigrationStep\nrenames, custom code", .wait)
    canvas.arrow((460, 82), (485, 82), (485, 45), (508, 45))
    canvas.arrow((460, 98), (485, 98), (485, 135), (508, 135))
    canvas.box(510, 200, 190, 50, "Backup\nif data could be lost", .store)
    canvas.arrow((605, 160), (605, 198))
    canvas.arrow((700, 45), (712, 45), (712, 225), (702, 225))
    canvas.box(270, 200, 190, 50, "One transaction\nwith all steps", .wait)
    canvas.arrow((508, 225), (462, 225))
    canvas.box(20, 176, 190, 44, "committed: version 2", .good)
    canvas.box(20, 236, 190, 44, "failed: still version 1", .bad)
    canvas.arrow((268, 218), (240, 218), (240, 198), (212, 198))
    canvas.arrow((268, 232), (240, 232), (240, 258), (212, 258))
    canvas.label(
      360, 314, "A kill or a full disk at any point leaves the old store or the new one, never half of each.",
      anchor: "middle", quiet: true)
  },
]
