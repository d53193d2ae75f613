import ExampleReplicas
import ExampleSupport

@main
enum Flickr {
  static let service = WebService(
    "Flickr", liveURL: FlickrMethod.liveURL, keyVariable: "FLICKR_API_KEY", needsKey: true, replicaURL: \.photosURL)

  static func main() async {
    await Program(
      "Flickr", "shows where people take photos.", service: service,
      commands: [fetch, photos, photographers, regions, prune, gallery, demo]
    ).run()
  }
}
