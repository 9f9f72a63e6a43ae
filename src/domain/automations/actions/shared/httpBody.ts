// Composes the body of an HTTP step (developer-api.md 7.6 `http_call`): text or JSON, a form, a multipart form with files, or one file.
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { shownBody } from "../../../../platform/text/redaction.ts"
import { Values } from "../../model/Resolver.ts"
import { type Step, StepFailed } from "../../model/Step.ts"
import { LONG_CHARS, tooLong } from "../../model/textBounds.ts"
import type { Reference } from "../../schema/dynamicValues.ts"
import { jsonMistake, meansJson } from "../../values/resolveJson.ts"
import type { RequestConfig } from "./httpConfig.ts"
import { RunFiles, type StoredFile } from "./RunFiles.ts"

export interface StepBody {
  readonly content: string | Uint8Array
  readonly contentType: string
  /** Text that the log shows. */
  readonly shown: string
  readonly holdsSecret: boolean
}

/** Bytes of all files of a request. */
const FILES_BYTES = 25 * 1024 * 1024
const FORM_TYPE = "application/x-www-form-urlencoded"

type Part = readonly [name: string, value: string | StoredFile]

const describe = ({ filename, size }: StoredFile): string => `${filename} (${size} bytes)`

/** Shows a form as its fields, credentials hidden as in any form. */
const shownForm = (parts: ReadonlyArray<Part>, hide: (secret: string) => void): string =>
  shownBody(
    new URLSearchParams(
      parts.map(([name, value]): [string, string] => [name, typeof value === "string" ? value : describe(value)])
    ).toString(),
    FORM_TYPE,
    hide
  )

export const makeHttpBody = Effect.gen(function* () {
  const values = yield* Values
  const files = yield* RunFiles

  const storedFiles = Effect.fnUntraced(function* (step: Step, references: ReadonlyArray<Reference>) {
    const filesOfReferences: Array<ReadonlyArray<StoredFile>> = []
    for (const reference of references)
      filesOfReferences.push(yield* files.find(step, yield* values.fileIds(reference, step)))
    if (filesOfReferences.flat().reduce((sum, { size }) => sum + size, 0) > FILES_BYTES)
      return yield* new StepFailed({ message: "The files of the request are larger than 25 MB in total." })
    return filesOfReferences
  })

  const text = Effect.fnUntraced(function* (step: Step<RequestConfig>, contentType: string | undefined) {
    const { http_call_body: template, http_call_body_raw: raw } = step.config
    const isJson = meansJson(template, contentType)
    const content = yield* values.textToSend(template, step, isJson && raw !== true ? "json" : "text")
    if (content === "") return undefined
    const mistake = jsonMistake(content)
    const type = contentType ?? (mistake === undefined ? "application/json" : "text/plain; charset=utf-8")
    if (isJson && mistake !== undefined) step.log.add("warn", `The body is no JSON: ${mistake}. It is sent as ${type}.`)
    const shownText = shownBody(content, type, step.log.secret)
    return { content, contentType: type, shown: shownText, holdsSecret: step.secrets.in(content) }
  })

  const parts = Effect.fnUntraced(function* (step: Step<RequestConfig>) {
    const fields = (step.config.http_call_form ?? []).filter(({ key }) => key !== "")
    const filesOfFields = yield* storedFiles(
      step,
      fields.flatMap(({ files }) => files ?? [])
    )
    const parts: Array<Part> = []
    let chars = 0
    for (const { files, key, value } of fields) {
      if (files !== undefined) parts.push(...filesOfFields.shift()!.map((file) => [key, file] as const))
      else {
        const content = yield* values.textToSend(value, step)
        chars += key.length + content.length
        if (chars > LONG_CHARS) return yield* tooLong("The form is", LONG_CHARS)
        parts.push([key, content])
      }
    }
    return parts
  })

  const form = Effect.fnUntraced(function* (step: Step<RequestConfig>, contentType: string | undefined) {
    const fields = yield* parts(step)
    const content = new URLSearchParams(fields as ReadonlyArray<readonly [string, string]> as Array<[string, string]>)
    return {
      content: content.toString(),
      contentType: contentType ?? FORM_TYPE,
      shown: shownForm(fields, step.log.secret),
      holdsSecret: step.secrets.in(fields)
    }
  })

  const multipart = Effect.fnUntraced(function* (step: Step<RequestConfig>) {
    const fields = yield* parts(step)
    const data = new FormData()
    for (const [name, value] of fields)
      if (typeof value === "string") data.append(name, value)
      else if (step.simulation) data.append(name, describe(value))
      else {
        const bytes = yield* files.bytes(value)
        data.append(name, new File([bytes as Uint8Array<ArrayBuffer>], value.filename, { type: value.mimetype }))
      }
    const encoded = new Response(data)
    return {
      content: new Uint8Array(yield* Effect.promise(() => encoded.arrayBuffer())),
      contentType: encoded.headers.get("content-type")!,
      shown: shownForm(fields, step.log.secret),
      holdsSecret: step.secrets.in(fields)
    }
  })

  const file = Effect.fnUntraced(function* (step: Step<RequestConfig>, contentType: string | undefined) {
    const reference = step.config.http_call_body_file
    const [[found] = []] = yield* storedFiles(step, reference === undefined ? [] : [reference])
    if (found === undefined) return yield* new StepFailed({ message: "There is no file to send." })
    return {
      content: step.simulation ? "" : yield* files.bytes(found),
      contentType: contentType ?? found.mimetype,
      shown: describe(found),
      holdsSecret: false
    }
  })

  /** @param contentType the definition's own header; a multipart form has another, which names its boundary */
  return (
    step: Step<RequestConfig>,
    contentType: string | undefined
  ): Effect.Effect<StepBody | undefined, StepFailed | SqlError> => {
    switch (step.config.http_call_body_type) {
      case "form":
        return form(step, contentType)
      case "multipart":
        return multipart(step)
      case "file":
        return file(step, contentType)
      default:
        return text(step, contentType)
    }
  }
})
