// HTML to PDF with Chromium (service.md 2.7 create_pdf; developer-api.md 7.7 rule 5).
//
// `print` takes the config of a create_pdf step with its templates rendered to HTML and its code values evaluated to
// numbers (millimetres), with `placeholders` where `pdf` values stand, and answers the bytes and the number of pages.
// Scripts do not run; the only resources are images, asked for through `fetchImage`. Errors: `PdfInvalid` (the definition
// cannot be printed), `PdfLimit` (60 s or 200 pages), `BrowserFailed` (worth a retry).
import { Context, Duration, Effect, Layer, type Option, Result, Schema } from "effect"
import type { Browser, HTTPRequest, Page } from "puppeteer-core"
import { AppConfig } from "../config/Config.ts"
import type { ConfinementMode } from "../confinement/Confinement.ts"
import { makeProcesses } from "../confinement/Processes.ts"
import { makeFairPlaces } from "../fairness/FairPlaces.ts"
import { BrowserFailed, openBrowser } from "./browser.ts"
import { type Paper, PdfInvalid, paperOf } from "./paper.ts"
import { documentOf, needsPageCount, type PdfDefinition, px } from "./pdfDocument.ts"

export { type PdfDefinition, placeholders } from "./pdfDocument.ts"

export class PdfLimit extends Schema.TaggedError<PdfLimit>()("PdfLimit", {
  which: Schema.Literals(["time", "pages"]),
  message: Schema.String
}) {}

export interface Image {
  readonly body: Uint8Array
  /** Answered only when it begins with `image/`. */
  readonly contentType: string
}

export interface PrintRequest {
  /** Whose place and whose browser it takes. */
  readonly orgId: number
  readonly definition: PdfDefinition
  /** The guarded client, or the service's own files; called for `http` and `https` addresses only. */
  readonly fetchImage: (url: string) => Effect.Effect<Image, unknown>
}

export interface Printed {
  readonly bytes: Uint8Array
  readonly pageCount: number
}

export const defaultDefinition: PdfDefinition = {
  pdf_body: "",
  page_size: "a4",
  page_orientation: "portrait",
  page_margins: "normal",
  page_numbers_enabled: false,
  page_number_style: "decimal",
  header_and_footer_enabled: false,
  pdf_header: "",
  pdf_header_following_pages: "",
  pdf_header_following_pages_enabled: false,
  pdf_footer: "",
  pdf_footer_following_pages: "",
  pdf_footer_following_pages_enabled: false
}

const TIME = "60 seconds"
const PAGES_MAX = 200
const IMAGES_MAX = 500
/** Of one organization at once, and beside them for others (decisions A22). */
const BROWSERS = 2
const RESERVE = 1
const DOCUMENTS_PER_BROWSER = 100
/** Never resolves: the document is answered by the request handler. */
const ADDRESS = "https://document.invalid/"
/** `sandbox`: nothing in the document may lead it away or begin by itself. */
const CSP =
  "default-src 'none'; img-src http: https: data:; style-src 'unsafe-inline'; font-src data:; form-action 'none'; base-uri 'none'; sandbox allow-same-origin"

type Failure = PdfInvalid | PdfLimit | BrowserFailed

export class Pdf extends Context.Service<
  Pdf,
  { readonly print: (request: PrintRequest) => Effect.Effect<Printed, Failure> }
>()("millrace/pdf/Pdf") {
  static readonly layer = Layer.effect(
    Pdf,
    Effect.flatMap(AppConfig, ({ chromiumPath, scriptConfinement }) => make(chromiumPath, TIME, scriptConfinement))
  )
}

const attempt = <A>(f: () => Promise<A>) =>
  Effect.tryPromise({
    try: f,
    catch: (e) => new BrowserFailed({ message: e instanceof Error ? e.message.slice(0, 500) : String(e) })
  })

/**
 * Chromium writes its page tree uncompressed: the root's count is the largest. A title or a link holds no line feed as it is, so
 * that no document can write such a line.
 */
const pageCountOf = (bytes: Uint8Array): number => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")
  let count = 0
  for (const [, n] of text.matchAll(/<<\/Type \/Pages\n\/Count (\d+)\n/g)) count = Math.max(count, Number(n))
  return count
}

/** Scoped. `time`: what one document may take. */
export const make = Effect.fnUntraced(function* (
  chromiumPath: Option.Option<string>,
  time: Duration.Input = TIME,
  mode: ConfinementMode = "auto"
) {
  const message = `Printing took longer than ${Duration.toSeconds(time)} seconds.`
  const outOfTime = Effect.fail(new PdfLimit({ which: "time", message }))
  const turns = makeFairPlaces({ places: BROWSERS, reserve: RESERVE })
  const browsers = yield* makeProcesses({
    start: openBrowser(chromiumPath, undefined, mode).pipe(Effect.map(({ browser }) => browser)),
    alive: (browser) => browser.connected,
    most: BROWSERS + RESERVE,
    uses: DOCUMENTS_PER_BROWSER,
    spare: false
  })

  const openPage = (browser: Browser) =>
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

  const printWith = Effect.fnUntraced(function* (browser: Browser, request: PrintRequest, paper: Paper) {
    const { definition } = request
    const page = yield* openPage(browser)
    const answers = yield* answerRequests(page, request)
    const once = (count: number) => printOnce(page, answers, documentOf(definition, paper, count), paper)
    let printed = yield* once(0)
    // Layers lie over the body and move nothing, so the second count is the first, unless the body shows the count.
    if (needsPageCount(definition))
      for (let tries = 0, counted = -1; tries < 3 && counted !== printed.pageCount; tries++) {
        counted = printed.pageCount
        printed = yield* once(counted)
      }
    return printed
  })

  const print = Effect.fn("Pdf.print")(function* (request: PrintRequest) {
    const { definition } = request
    const paper = yield* Effect.try({
      try: () => paperOf(definition),
      catch: (e) => (e instanceof PdfInvalid ? e : new PdfInvalid({ message: String(e) }))
    })
    const printed = yield* turns.use(request.orgId)(
      browsers.lend(request.orgId, (browser) =>
        Effect.scoped(printWith(browser, request, paper)).pipe(
          Effect.timeoutOrElse({ duration: time, orElse: () => outOfTime }),
          Effect.result,
          // One that failed or hung is of no use any more.
          Effect.map((result) => {
            const ended =
              Result.isFailure(result) && !(result.failure._tag === "PdfLimit" && result.failure.which === "pages")
            return [result, ended] as const
          })
        )
      )
    )
    return yield* Effect.fromResult(printed)
  })

  return Pdf.of({ print })
})

interface Answers {
  html: string
}

/** Answers the document and its images; everything else is refused. */
const answerRequests = Effect.fnUntraced(function* (page: Page, request: PrintRequest) {
  const answers: Answers = { html: "" }
  const run = yield* Effect.context<never>()
  let asked = 0
  const image = (url: string) =>
    request.fetchImage(url).pipe(
      Effect.map(({ body, contentType }) => (/^image\//i.test(contentType) ? { body, contentType } : undefined)),
      Effect.catchCause(() => Effect.succeed(undefined))
    )
  const fetched = new Map<string, Promise<Image | undefined>>()
  const answer = async (r: HTTPRequest) => {
    if (r.url() === ADDRESS && r.isNavigationRequest() && r.frame() === page.mainFrame())
      return r.respond({
        status: 200,
        contentType: "text/html; charset=utf-8",
        headers: { "content-security-policy": CSP },
        body: answers.html
      })
    if (r.resourceType() !== "image" || !/^https?:/.test(r.url())) return r.abort("blockedbyclient")
    if (!fetched.has(r.url())) {
      if (asked++ >= IMAGES_MAX) return r.abort("blockedbyclient")
      fetched.set(r.url(), Effect.runPromiseWith(run)(image(r.url())))
    }
    const found = await fetched.get(r.url())
    return found === undefined
      ? r.abort("failed")
      : r.respond({
          status: 200,
          contentType: found.contentType,
          body: Buffer.from(found.body),
          headers: { "access-control-allow-origin": "*" }
        })
  }
  page.on("request", (r) => void answer(r).catch(() => {}))
  return answers
})

const printOnce = Effect.fnUntraced(function* (page: Page, answers: Answers, html: string, paper: Paper) {
  answers.html = html
  const bytes = yield* attempt(async () => {
    await page.goto(ADDRESS, { waitUntil: "load", timeout: 0 })
    return await page.pdf({
      width: px(paper.width),
      height: px(paper.height),
      margin: { top: 0, right: 0, bottom: 0, left: 0 },
      preferCSSPageSize: true,
      printBackground: true,
      timeout: 0
    })
  })
  const pageCount = pageCountOf(bytes)
  if (pageCount > PAGES_MAX)
    return yield* new PdfLimit({ which: "pages", message: `The PDF has ${pageCount} pages; ${PAGES_MAX} are allowed.` })
  return { bytes, pageCount } satisfies Printed
})
