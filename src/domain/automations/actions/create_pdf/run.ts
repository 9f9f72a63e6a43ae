// `create_pdf` (service.md 2.7, developer-api.md 7.7 rule 5): prints HTML into a file for the run's variable.
import { Effect, Struct } from "effect"
import { AppConfig } from "../../../../platform/config/Config.ts"
import { Outbound } from "../../../../platform/outbound/Outbound.ts"
import { policies } from "../../../../platform/outbound/policies.ts"
import { type Image, ImagesTooLarge, Pdf, type PdfDefinition } from "../../../../platform/pdf/Pdf.ts"
import { fileName } from "../../../../platform/text/fileName.ts"
import { numberOf } from "../../../records/fields/input/numbers.ts"
import { Contents } from "../../../records/files/Contents.ts"
import { Files } from "../../../records/files/Files.ts"
import type { Code } from "../../model/Definition.ts"
import { Values } from "../../model/Resolver.ts"
import { StepFailed, success } from "../../model/Step.ts"
import { once, type StepOf } from "../runtime.ts"
import { RunFiles } from "../shared/RunFiles.ts"
import { skipInSimulation } from "../simulation.ts"

type PdfStep = StepOf<"create_pdf">

const texts = [
  "pdf_body",
  "pdf_header",
  "pdf_header_following_pages",
  "pdf_footer",
  "pdf_footer_following_pages"
] as const
/** Settings that the log shows as they are. */
const copiedKeys = [
  "header_and_footer_enabled",
  "page_margins",
  "page_number_style",
  "page_numbers_enabled",
  "page_orientation",
  "page_size",
  "pdf_footer_following_pages_enabled",
  "pdf_header_following_pages_enabled"
] as const
const numbers = [
  ...(["page_custom_width", "page_custom_height", "page_number_start"] as const),
  ...(["page_custom_margin_top", "page_custom_margin_right", "page_custom_margin_bottom"] as const),
  ...(["page_custom_margin_left", "pdf_header_custom_margin_top", "pdf_footer_custom_margin_bottom"] as const)
]

const mayPass = ({ _tag }: { readonly _tag: string }): boolean => _tag === "BrowserFailed"

export const run = Effect.gen(function* () {
  const values = yield* Values
  const pdf = yield* Pdf
  const files = yield* Files
  const contents = yield* Contents
  const outbound = yield* Outbound
  const kept = yield* RunFiles
  const { baseUrl } = yield* AppConfig
  const serviceUrl = new URL(baseUrl)

  /** Allowed addresses: the service's own signed links, or any public https address. */
  const fetchImage = Effect.fnUntraced(function* (address: string, most: number) {
    const url = new URL(address)
    const file = url.origin === serviceUrl.origin ? /^\/file\/(\d{1,15})$/.exec(url.pathname) : null
    if (file !== null) {
      const expires = Number(url.searchParams.get("expires"))
      const row = yield* files.open(Number(file[1]), expires, url.searchParams.get("signature") ?? "")
      if (row.size > most)
        return yield* new ImagesTooLarge({ message: `The image ${row.name} has more than ${most / 1_000_000} MB.` })
      return { body: yield* contents.bytes(row.storage_key), contentType: row.mimetype } satisfies Image
    }
    if (url.protocol !== "https:") return yield* new StepFailed({ message: "Images come by https." })
    const answer = yield* outbound.request({ method: "GET", url: address, policy: policies.image })
    if (answer.status !== 200)
      return yield* new StepFailed({ message: `The image's server answered ${answer.status}.` })
    return { body: answer.body, contentType: answer.headers["content-type"] ?? "" } satisfies Image
  })

  const number = Effect.fnUntraced(function* (key: string, code: Code, step: PdfStep) {
    const value = yield* values.code(code, step)
    if (value === null || (typeof value === "string" && value.trim() === "")) return null
    return numberOf(value) ?? (yield* new StepFailed({ message: `${key}: not a number: ${JSON.stringify(value)}` }))
  })

  const definitionOf = Effect.fnUntraced(function* (step: PdfStep) {
    const { config } = step
    const renderedConfig: Record<string, unknown> = {}
    for (const key of texts) renderedConfig[key] = yield* values.text(config[key], step, "html")
    for (const key of numbers) renderedConfig[key] = yield* number(key, config[key], step)
    return { ...renderedConfig, ...Struct.pick(config, copiedKeys) } as unknown as PdfDefinition
  })

  return once(
    Effect.fnUntraced(function* (step: PdfStep) {
      const { custom_variable_def, filename } = step.config
      const requestedName = fileName(
        yield* values.text(filename, step),
        fileName(custom_variable_def.label, "document")
      )
      const name = /\.pdf$/i.test(requestedName) ? requestedName : `${requestedName}.pdf`
      const definition = yield* definitionOf(step)
      if (step.simulation) return skipInSimulation(`${name} would be printed.`)
      const title = name.replace(/\.pdf$/i, "")
      const { bytes, missingScripts } = yield* pdf
        .print({ orgId: step.run.org_id, definition, title, fetchImage })
        .pipe(
          Effect.retry({ while: mayPass, times: step.retried ? 0 : 1 }),
          Effect.mapError((error) => new StepFailed({ message: error.message, passing: mayPass(error) }))
        )
      if (missingScripts.length > 0)
        step.log.add(
          "warn",
          `No font is installed for ${missingScripts.join(", ")}: letters of it are boxes in ${name}, unless the document brings a font of its own.`
        )
      const file = yield* kept.keep(step, { name, mimetype: "application/pdf", bytes })
      step.set(custom_variable_def, custom_variable_def.custom_type === "multi_file" ? [file] : file)
      step.publish({ type: "file_collection", app_id: step.automation.app_id, files: [file] })
      return success
    })
  )
})
