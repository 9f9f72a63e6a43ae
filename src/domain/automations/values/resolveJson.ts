// References inside of a JSON body (developer-api.md 7.6 http_call; decisions.md "JSON in http_call"): between the quotes of a string
// they are escaped as JSON asks, anywhere else they stand as they are. Pure.
import type { TemplateWithSecrets } from "../model/Definition.ts"

/** Writes the parts of a template in their order: only what the template itself says opens and closes strings. */
export const jsonWriter = () => {
  let inString = false
  let escaped = false
  return {
    literal: (text: string): string => {
      for (const char of text) {
        if (escaped) escaped = false
        else if (char === '"') inString = !inString
        else if (char === "\\") escaped = inString
      }
      return text
    },
    reference: (text: string): string => (inString ? JSON.stringify(text).slice(1, -1) : text)
  }
}

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

const isJsonType = (contentType: string): boolean => /[/+]json\b/i.test(contentType)

/** Whether a body is meant to be JSON: its header says so or, without one, it is an object, a list or one string. */
export const meansJson = (template: TemplateWithSecrets, contentType: string | undefined): boolean => {
  if (contentType !== undefined) return isJsonType(contentType)
  const written = template.map((item) => (typeof item === "string" ? item : "0")).join("")
  const body = written.trimStart()
  return body.startsWith("{") || body.startsWith("[") || (body.startsWith('"') && jsonMistake(body) === undefined)
}
