// Fetches the images of one document: each address once, a few at a time, within a budget of bytes, since all are kept until the document
// is done (decisions A22: the process is shared by all organizations).
import { Effect, FiberSet, Schema, Semaphore } from "effect"

export interface Image {
  readonly body: Uint8Array
  /** Content type; an image is served only if it begins with `image/`. */
  readonly contentType: string
}

/** Error of an image, or of all of a document together, with more bytes than allowed. */
export class ImagesTooLarge extends Schema.TaggedError<ImagesTooLarge>()("ImagesTooLarge", {
  message: Schema.String
}) {}

/**
 * Fetches `http` and `https` addresses only. Fails with `ImagesTooLarge` beyond `most` bytes, without reading the image if its length is
 * declared.
 */
export type FetchImage = (url: string, most: number) => Effect.Effect<Image, unknown>

const MB = 1_000_000
const IMAGES_MAX = 500
const IMAGE_MB = 10
const TOGETHER_MB = 50
/** Images fetched at once; they come on top of those in memory. */
const AT_ONCE = 4

const tooLarge = (message: string) => new ImagesTooLarge({ message })

/** Makes the images of a document; fetches in flight end with the scope. */
export const makeImages = Effect.fnUntraced(function* (fetchImage: FetchImage) {
  const run = yield* FiberSet.makeRuntimePromise()
  const fetchSlots = yield* Semaphore.make(AT_ONCE)
  const imagesByUrl = new Map<string, Promise<Image | undefined>>()
  let bytesLeft = TOGETHER_MB * MB
  let exceeded: ImagesTooLarge | undefined

  const fetched = Effect.fnUntraced(function* (url: string) {
    if (exceeded !== undefined) return undefined
    const { body, contentType } = yield* fetchImage(url, IMAGE_MB * MB)
    if (!/^image\//i.test(contentType)) return undefined
    if (body.byteLength > IMAGE_MB * MB) return yield* tooLarge(`An image has more than ${IMAGE_MB} MB.`)
    if (body.byteLength > bytesLeft) return yield* tooLarge(`The images have more than ${TOGETHER_MB} MB together.`)
    bytesLeft -= body.byteLength
    return { body, contentType }
  })

  const image = (url: string) =>
    fetchSlots.withPermit(fetched(url)).pipe(
      Effect.tapError((error) =>
        Effect.sync(() => {
          if (error instanceof ImagesTooLarge) exceeded ??= error
        })
      ),
      Effect.catchCause(() => Effect.succeed(undefined))
    )

  return {
    /** Fetches an image; `undefined`: it cannot be had. */
    of: (url: string): Promise<Image | undefined> => {
      const earlierFetch = imagesByUrl.get(url)
      if (earlierFetch !== undefined) return earlierFetch
      if (imagesByUrl.size >= IMAGES_MAX) return Promise.resolve(undefined)
      const imageFetch = run(image(url))
      imagesByUrl.set(url, imageFetch)
      return imageFetch
    },
    /** Error of the first image that was too large, if any. */
    exceeded: () => exceeded
  }
})
