// Answers held against the description of the API that the service gives of itself.
import Ajv2020 from "ajv/dist/2020.js"

const Ajv = Ajv2020 as unknown as typeof Ajv2020.default
const escaped = (key: string) => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"))
const JSON_LINES = "application/x-ndjson"

/** Says where an answer is not as described; `undefined` where it is. @param spec the description */
export const describedAnswers = (spec: any) => {
  const ajv = new Ajv({ strict: false, validateSchema: false, validateFormats: false }).addSchema(spec, "api")
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>()
  return (method: string, path: string, status: number, text: string): string | undefined => {
    const answer = ["paths", path, method.toLowerCase(), "responses", String(status)]
    const lines = answer.reduce((at, key) => at?.[key], spec)?.content?.[JSON_LINES] !== undefined
    const name = [...answer, "content", lines ? JSON_LINES : "application/json", "schema"].map(escaped).join("/")
    let validate = compiled.get(name)
    if (validate === undefined) {
      validate = ajv.compile({ $ref: `api#/${name}` })
      compiled.set(name, validate)
    }
    // Of JSON lines each is described.
    const bodies: ReadonlyArray<string> = lines ? text.split("\n").filter((line) => line !== "") : [text]
    for (const body of bodies) if (!validate(JSON.parse(body))) return ajv.errorsText(validate.errors)
    return undefined
  }
}
