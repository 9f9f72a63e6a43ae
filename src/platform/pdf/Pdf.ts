// Prints HTML to PDF with Chromium (service.md 2.7 create_pdf; developer-api.md 7.7 rule 5).
//
// `print` takes the config of a create_pdf step with its templates rendered to HTML and its code values evaluated to numbers (millimetres),
// with `placeholders` for `pdf` values, and returns the bytes and the number of pages. Scripts do not run; the only resources are images,
// requested through `fetchImage`. Errors: `PdfInvalid` (the definition cannot be printed), `PdfLimit` (60 s, 200 pages, the bytes of the
// images or of the whole, the characters of the document), `BrowserFailed` (worth a retry).
import { Context, Duration, Effect, Layer, type Option, Result } from "effect"
import type { Browser } from "puppeteer-core"
import { AppConfig } from "../config/Config.ts"
import type { ConfinementMode } from "../confinement/Confinement.ts"
import { makeProcesses } from "../confinement/Processes.ts"
import { makeSlotMetrics } from "../fairness/slotMetrics.ts"
import { histogram } from "../metrics/instruments.ts"
import { timed } from "../metrics/timed.ts"
import { type BrowserFailed, openBrowser } from "./browser.ts"
import { type Paper, PdfInvalid, paperOf } from "./paper.ts"
import { DOCUMENT_MILLIONS, documentOf, documentSize, needsPageCount, type PdfDefinition } from "./pdfDocument.ts"
import { makeScriptFonts, scriptsOf } from "./pdfFonts.ts"
import { answerRequests, openPage, PdfLimit, type Printed, type PrintRequest, printOnce } from "./pdfPage.ts"

export { type PdfDefinition, placeholders } from "./pdfDocument.ts"
export { type Image, ImagesTooLarge } from "./pdfImages.ts"

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

const durations = histogram("millrace.pdf.duration")
const measurePrint = timed<Printed>((seconds, outcome) => durations.observe(seconds, outcome))

const TIME = "60 seconds"
/** Browsers that one organization may use at once, and further ones in reserve for others (decisions A22). */
const BROWSERS = 2
const RESERVE = 1
const DOCUMENTS_PER_BROWSER = 100
/** Limits whose excess leaves the browser usable, since its work is done. */
const reusableLimits: ReadonlySet<PdfLimit["which"]> = new Set(["pages", "images", "document"])
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

/** Makes the service in the scope. `time`: longest time for one document. */
export const make = Effect.fnUntraced(function* (
  chromiumPath: Option.Option<string>,
  time: Duration.Input = TIME,
  mode: ConfinementMode = "auto"
) {
  const message = `Printing took longer than ${Duration.toSeconds(time)} seconds.`
  const outOfTime = Effect.fail(new PdfLimit({ which: "time", message }))
  const browserSlots = yield* makeSlotMetrics("pdf", { places: BROWSERS, reserve: RESERVE })
  const browsers = yield* makeProcesses({
    start: openBrowser(chromiumPath, undefined, mode).pipe(Effect.map(({ browser }) => browser)),
    alive: (browser) => browser.connected,
    most: BROWSERS + RESERVE,
    uses: DOCUMENTS_PER_BROWSER,
    spare: false
  })

  const fonts = makeScriptFonts()
  const tooLong = `The document has more than ${DOCUMENT_MILLIONS} million characters, with header and footer of all pages.`

  const printWith = Effect.fnUntraced(function* (browser: Browser, request: PrintRequest, paper: Paper) {
    const { definition, title = "Document" } = request
    const page = yield* openPage(browser)
    const answers = yield* answerRequests(page, request)
    const printWithCount = Effect.fnUntraced(function* (count: number) {
      if (documentSize(definition, count) > DOCUMENT_MILLIONS * 1_000_000)
        return yield* new PdfLimit({ which: "document", message: tooLong })
      return yield* printOnce(page, answers, yield* documentOf(definition, paper, count, title), paper)
    })
    let printed = yield* printWithCount(0)
    // Prints again with the count until it is stable. Layers lie over the body and move nothing, so the second count equals the first,
    // unless the body shows the count.
    if (needsPageCount(definition))
      for (let tries = 0, counted = -1; tries < 3 && counted !== printed.pageCount; tries++) {
        counted = printed.pageCount
        printed = yield* printWithCount(counted)
      }
    const missingScripts = yield* fonts.missing(browser, yield* scriptsOf(definition))
    return { ...printed, missingScripts } satisfies Printed
  })

  const print = Effect.fn("Pdf.print")(function* (request: PrintRequest) {
    const { definition } = request
    const paper = yield* Effect.try({
      try: () => paperOf(definition),
      catch: (e) => (e instanceof PdfInvalid ? e : new PdfInvalid({ message: String(e) }))
    })
    const printed = yield* browserSlots.use(request.orgId)(
      browsers.lend(request.orgId, (browser) =>
        Effect.scoped(printWith(browser, request, paper)).pipe(
          Effect.timeoutOrElse({ duration: time, orElse: () => outOfTime }),
          Effect.result,
          // A browser that failed or hung, or holds output that was not read, is ended.
          Effect.map((result) => {
            const kept =
              Result.isSuccess(result) ||
              (result.failure._tag === "PdfLimit" && reusableLimits.has(result.failure.which))
            return [result, !kept] as const
          })
        )
      )
    )
    return yield* Effect.fromResult(printed)
  })

  return Pdf.of({ print: (request) => measurePrint(print(request)) })
})
