// Decides if a template produces JSON text (developer-api.md 7.6 http_call, 7.9 response_body), and checks its result. Pure.
import { isJsonType, mediaTypeOf } from "../../../platform/primitives/mediaType.ts"
import type { TemplateWithSecrets } from "../model/Definition.ts"

/** Returns the reason why a text is no JSON, without quoting the text. */
export const jsonMistake = (text: string): string | undefined => {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    const [why = ""] = (error as SyntaxError).message.split(/(?:, )?(?:\.\.\.)?"/, 1)
    return why === "" ? "Unexpected text" : why
  }
}

/** True if a body is meant to be JSON: its header says so or, without a header, it is an object, a list or one string. */
export const meansJson = (template: TemplateWithSecrets, contentType: string | undefined): boolean => {
  if (contentType !== undefined) return isJsonType(mediaTypeOf(contentType))
  const sampleText = template.map((item) => (typeof item === "string" ? item : "0")).join("")
  const body = sampleText.trimStart()
  return body.startsWith("{") || body.startsWith("[") || (body.startsWith('"') && jsonMistake(body) === undefined)
}
