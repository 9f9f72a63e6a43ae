// What a document may take of the process that is everybody's: bytes of images, of the PDF, of what the browser says (decisions A22, P8).
import type { ChildProcess } from "node:child_process"
import { PassThrough } from "node:stream"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { transportOf } from "../../../src/platform/pdf/browserTransport.ts"
import { defaultDefinition, make } from "../../../src/platform/pdf/Pdf.ts"
import { bytesOf, pageCountOf } from "../../../src/platform/pdf/pdfBytes.ts"
import { makeImages } from "../../../src/platform/pdf/pdfImages.ts"

const chromium = Option.fromUndefinedOr(process.env["CHROMIUM_PATH"])
const MB = 1_000_000

const imagesOf = (sizeOf: (url: string) => number) =>
  Effect.gen(function* () {
    const requestedUrls: Array<string> = []
    const images = yield* makeImages((url) =>
      Effect.sync(() => {
        requestedUrls.push(url)
        return { body: new Uint8Array(sizeOf(url)), contentType: "image/png" }
      })
    )
    return { images, asked: requestedUrls }
  })

describe("bounds of a document (A22)", () => {
  it.live("images of more than 50 MB together end the document, and are not fetched any more", () =>
    Effect.gen(function* () {
      const pdf = yield* make(chromium)
      let fetched = 0
      const body = Array.from({ length: 30 }, (_, i) => `<img src="https://images.example/${i}.png">`).join("")
      const failed = yield* Effect.flip(
        pdf.print({
          orgId: 1,
          definition: { ...defaultDefinition, pdf_body: body },
          fetchImage: () =>
            Effect.sync(() => {
              fetched++
              return { body: new Uint8Array(5 * MB), contentType: "image/png" }
            })
        })
      )
      assert.deepInclude(failed, {
        _tag: "PdfLimit",
        which: "images",
        message: "The images have more than 50 MB together."
      })
      assert.isAtMost(fetched, 10 + 4)
      const next = yield* pdf.print({ orgId: 1, definition: defaultDefinition, fetchImage: () => Effect.die("none") })
      assert.strictEqual(next.pageCount, 1)
    }).pipe(Effect.scoped)
  )

  it.live("a header that makes the document too long is refused before it is written page by page", () =>
    Effect.gen(function* () {
      const pdf = yield* make(chromium)
      const definition = {
        ...defaultDefinition,
        header_and_footer_enabled: true,
        pdf_header: `<p>${"x".repeat(250_000)}</p>`,
        pdf_body: '<p style="break-after:page">page</p>'.repeat(150)
      }
      const failed = yield* Effect.flip(pdf.print({ orgId: 1, definition, fetchImage: () => Effect.die("none") }))
      assert.deepInclude(failed, {
        _tag: "PdfLimit",
        which: "document",
        message: "The document has more than 8 million characters, with header and footer of all pages."
      })
    }).pipe(Effect.scoped)
  )

  it.effect("the pages of a large PDF are counted in pieces, wherever their number stands", () =>
    Effect.gen(function* () {
      const sign = (count: number) => Buffer.from(`<</Type /Pages\n/Count ${count}\n`)
      for (const offset of [0, 65_536 - 30, 65_536 - 22, 65_536 - 1, 65_536, MB, 3 * MB - 25]) {
        const bytes = Buffer.alloc(3 * MB + 100, "<</Type /Pages\n/Count x ")
        sign(7).copy(bytes, 2 * MB + 50)
        sign(123).copy(bytes, offset)
        assert.strictEqual(yield* pageCountOf(bytes), 123, String(offset))
      }
      assert.strictEqual(yield* pageCountOf(new Uint8Array(10)), 0)
    })
  )

  it.effect("an image of more than 10 MB is too large by itself; what is no image counts for nothing", () =>
    Effect.gen(function* () {
      const { images } = yield* imagesOf((url) => (url.includes("large") ? 10 * MB + 1 : 10 * MB))
      assert.strictEqual((yield* Effect.promise(() => images.of("https://a.example/1")))?.body.byteLength, 10 * MB)
      assert.isUndefined(images.exceeded())
      assert.isUndefined(yield* Effect.promise(() => images.of("https://a.example/large")))
      assert.strictEqual(images.exceeded()?.message, "An image has more than 10 MB.")
      const texts = yield* makeImages(() => Effect.succeed({ body: new Uint8Array(20 * MB), contentType: "text/html" }))
      assert.isUndefined(yield* Effect.promise(() => texts.of("https://a.example/1")))
      assert.isUndefined(texts.exceeded())
    }).pipe(Effect.scoped)
  )

  it.effect("an address is fetched once; from the 501st on nothing is", () =>
    Effect.gen(function* () {
      const { images, asked } = yield* imagesOf(() => 1)
      const urls = Array.from({ length: 501 }, (_, i) => `https://a.example/${i}`)
      const loadedImages = yield* Effect.promise(() => Promise.all([...urls, urls[0]!].map(images.of)))
      assert.strictEqual(loadedImages.filter((image) => image !== undefined).length, 501)
      assert.deepStrictEqual(asked, urls.slice(0, 500))
    }).pipe(Effect.scoped)
  )

  it("a PDF is read up to its bound, and no further", async () => {
    let chunkCount = 0
    const stream = () =>
      new ReadableStream<Uint8Array>(
        { pull: (to) => to.enqueue(new Uint8Array(10).fill(chunkCount++)) },
        { highWaterMark: 0 }
      )
    assert.isUndefined(await bytesOf(stream(), 25))
    assert.strictEqual(chunkCount, 3)
    const smallStream = new ReadableStream<Uint8Array>({
      start: (to) => {
        to.enqueue(new Uint8Array([1, 2]))
        to.enqueue(new Uint8Array([3]))
        to.close()
      }
    })
    assert.deepStrictEqual(await bytesOf(smallStream, 3), new Uint8Array([1, 2, 3]))
  })

  it("a browser whose text does not end is heard no longer", async () => {
    const [to, from] = [new PassThrough(), new PassThrough()]
    const transport = transportOf({ stdio: [null, null, null, to, from] } as unknown as ChildProcess, 10)
    const heard: Array<string> = []
    transport.onmessage = (message) => void heard.push(message)
    const closed = new Promise<void>((resolve) => {
      transport.onclose = resolve
    })
    from.write("12345678\0")
    from.write("1234567")
    from.write("8\0abcdef")
    from.write("ghijk")
    await closed
    assert.isTrue(from.destroyed && to.destroyed)
    await new Promise(setImmediate)
    assert.deepStrictEqual(heard, ["12345678", "12345678"])
  })
})
