// Answers held against the description of the API that the service gives of itself.
import Ajv2020 from "ajv/dist/2020.js"

const Ajv = Ajv2020 as unknown as typeof Ajv2020.default
const escaped = (key: string) => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"))

/** Says where a JSON answer is not as described; `undefined` where it is. @param spec the description */
export const describedAnswers = (spec: object) => {
  const ajv = new Ajv({ strict: false, validateSchema: false, validateFormats: false }).addSchema(spec, "api")
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>()
  return (method: string, path: string, status: number, body: unknown): string | undefined => {
    const at = [
      "paths",
      path,
      method.toLowerCase(),
      "responses",
      String(status),
      "content",
      "application/json",
      "schema"
    ]
    const name = at.map(escaped).join("/")
    let validate = compiled.get(name)
    if (validate === undefined) {
      validate = ajv.compile({ $ref: `api#/${name}` })
      compiled.set(name, validate)
    }
    return validate(body) ? undefined : ajv.errorsText(validate.errors)
  }
}
