import Foundation

// What Scripts/kinto runs: a judge, and the devices that it starts.

let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "device":
  guard arguments.count == 6, let number = Int(arguments[2]), let url = URL(string: arguments[3]),
    let seed = UInt64(arguments[5])
  else { exit(2) }
  let folder = URL(filePath: arguments[4])
  let device = try await Device(number, at: url, in: folder)
  try await device.run(seed, log: folder.appending(path: "\(number).log"))
case "judge":
  guard arguments.count == 6, let records = URL(string: arguments[2]), let cut = URL(string: arguments[3]),
    let seconds = Int(arguments[5])
  else { exit(2) }
  var judge = Judge(records, cut: cut, in: URL(filePath: arguments[4]))
  do { try await judge.run(seconds: seconds) } catch {
    print(error)
    exit(1)
  }
default:
  print("usage: KintoJudge judge RECORDS CUT FOLDER SECONDS")
  exit(2)
}
