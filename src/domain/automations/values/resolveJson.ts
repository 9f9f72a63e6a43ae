// Whether a template makes JSON text (developer-api.md 7.6 http_call, 7.9 response_body), and whether what it made is some. Pure.
import { isJsonType, mediaTypeOf } from "../../../ground/primitives/mediaType.ts"
import type { TemplateWithSecrets } from "../model/Definition.ts"

/** Why a text is no JSON, without a piece of the text itself. */
export const jsonMistake = (text: string): string | undefined => {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    const [why = ""] = (error as SyntaxError).message.split(/(?:, )?(?:\.\.\.)?"/, 1)
    return why === "" ? "Unexpected text" : why
  }
}

/** Whether a body is meant to be JSON: its header says so or, without one, it is an object, a list or one string. */
export const meansJson = (template: TemplateWithSecrets, contentType: string | undefined): boolean => {
  if (contentType !== undefined) return isJsonType(mediaTypeOf(contentType))
  const written = template.map((item) => (typeof item === "string" ? item : "0")).join("")
  const body = written.trimStart()
  return body.startsWith("{") || body.startsWith("[") || (body.startsWith('"') && jsonMistake(body) === undefined)
}
