// Prints a document on one page of Chromium, which answers the document and its images and nothing else; scripts do not run.
import { Effect, Schema } from "effect"
import type { Browser, HTTPRequest, Page } from "puppeteer-core"
import { BrowserFailed } from "./browser.ts"
import type { Paper } from "./paper.ts"
import { bytesOf, PDF_MB, pageCountOf } from "./pdfBytes.ts"
import { type PdfDefinition, px } from "./pdfDocument.ts"
import { type FetchImage, makeImages } from "./pdfImages.ts"

export class PdfLimit extends Schema.TaggedError<PdfLimit>()("PdfLimit", {
  which: Schema.Literals(["time", "pages", "images", "bytes", "document"]),
  message: Schema.String
}) {}

export interface PrintRequest {
  /** Organization whose slot and browser the document takes. */
  readonly orgId: number
  readonly definition: PdfDefinition
  /** Title of the document, if its HTML has none. */
  readonly title?: string
  /** Fetches images by the guarded client, or from the service's own files. */
  readonly fetchImage: FetchImage
}

export interface Printed {
  readonly bytes: Uint8Array
  readonly pageCount: number
  /** Scripts of its texts without an installed font: their letters are boxes. */
  readonly missingScripts: ReadonlyArray<string>
}

const PAGES_MAX = 200
/** Address of the document, which never resolves: the request handler answers it. */
const ADDRESS = "https://document.invalid/"
/** Policy with `sandbox`: nothing in the document may navigate or start by itself. */
const CSP =
  "default-src 'none'; img-src http: https: data:; style-src 'unsafe-inline'; font-src data:; form-action 'none'; base-uri 'none'; sandbox allow-same-origin"

const attempt = <A>(f: () => Promise<A>) =>
  Effect.tryPromise({
    try: f,
    catch: (e) => new BrowserFailed({ message: e instanceof Error ? e.message.slice(0, 500) : String(e) })
  })

export const openPage = (browser: Browser) =>
  Effect.acquireRelease(
    attempt(async () => {
      const context = await browser.createBrowserContext()
      const page = await context.newPage()
      await page.setJavaScriptEnabled(false)
      await page.setRequestInterception(true)
      return { context, page }
    }),
    ({ context }) =>
      Effect.promise(() =>
        Promise.race([context.close().catch(() => {}), new Promise((done) => setTimeout(done, 2000))])
      )
  ).pipe(Effect.map(({ page }) => page))

export interface Answers {
  html: string
  readonly images: Effect.Success<ReturnType<typeof makeImages>>
}

/** Answers the document and its images; everything else is refused. */
export const answerRequests = Effect.fnUntraced(function* (page: Page, request: PrintRequest) {
  const images = yield* makeImages(request.fetchImage)
  const answers: Answers = { html: "", images }
  /** Sends one image at a time: while it is sent, three more copies of it are in memory. */
  let lastSend: Promise<unknown> = Promise.resolve()
  const answer = async (r: HTTPRequest) => {
    if (r.url() === ADDRESS && r.isNavigationRequest() && r.frame() === page.mainFrame())
      return r.respond({
        status: 200,
        contentType: "text/html; charset=utf-8",
        headers: { "content-security-policy": CSP },
        body: answers.html
      })
    if (r.resourceType() !== "image" || !/^https?:/.test(r.url())) return r.abort("blockedbyclient")
    const fetchedImage = await images.of(r.url())
    if (fetchedImage === undefined) return r.abort("failed")
    const { buffer, byteLength, byteOffset } = fetchedImage.body
    const currentSend = lastSend.then(() =>
      r.respond({
        status: 200,
        contentType: fetchedImage.contentType,
        body: Buffer.from(buffer, byteOffset, byteLength),
        headers: { "access-control-allow-origin": "*" }
      })
    )
    lastSend = currentSend.catch(() => {})
    return currentSend
  }
  page.on("request", (r) => void answer(r).catch(() => {}))
  return answers
})

export const printOnce = Effect.fnUntraced(function* (page: Page, answers: Answers, html: string, paper: Paper) {
  answers.html = html
  const bytes = yield* attempt(async () => {
    await page.goto(ADDRESS, { waitUntil: "load", timeout: 0 })
    return await bytesOf(
      await page.createPDFStream({
        width: px(paper.width),
        height: px(paper.height),
        margin: { top: 0, right: 0, bottom: 0, left: 0 },
        preferCSSPageSize: true,
        printBackground: true,
        timeout: 0
      })
    )
  })
  const exceeded = answers.images.exceeded()
  if (exceeded !== undefined) return yield* new PdfLimit({ which: "images", message: exceeded.message })
  if (bytes === undefined)
    return yield* new PdfLimit({ which: "bytes", message: `The PDF has more than ${PDF_MB} MB.` })
  const pageCount = yield* pageCountOf(bytes)
  if (pageCount > PAGES_MAX)
    return yield* new PdfLimit({ which: "pages", message: `The PDF has ${pageCount} pages; ${PAGES_MAX} are allowed.` })
  return { bytes, pageCount }
})
