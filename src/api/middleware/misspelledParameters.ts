// Misspelled query parameters (developer-api.md 1.1): a name that is none of the address's own and is close to one of them is refused with that
// one, since the caller would be answered something else than they asked for. Any other is ignored, as ever.
import { Effect, SchemaAST } from "effect"
import { HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { InvalidRequestUrl } from "../../platform/primitives/errors.ts"
import { nearest } from "../../platform/text/nearest.ts"

/** Short names differ by little from anything: `_`, `t` and `v` are nobody's slips. */
const lettersOff = (name: string) => (name.length < 3 ? 0 : name.length < 5 ? 1 : 2)

/** `sort` for `sort_by`. */
const findByPrefix = (name: string, known: ReadonlyArray<string>) =>
  name.length < 3 ? undefined : known.find((one) => one.startsWith(`${name.toLowerCase()}_`))

/** `query: there is no parameter "limt"; did you mean "limit"?`; undefined where no name is a slip of a known one. */
export const misspelled = (sent: ReadonlyArray<string>, known: ReadonlyArray<string>): string | undefined => {
  for (const name of sent) {
    const meant = known.includes(name)
      ? undefined
      : (nearest(name, known, lettersOff(name)) ?? findByPrefix(name, known))
    if (meant !== undefined)
      return `query: there is no parameter ${JSON.stringify(name)}; did you mean ${JSON.stringify(meant)}?`
  }
  return undefined
}

/** The parameters that an endpoint takes in its query. */
export const knownQuery = ({ query }: HttpApiEndpoint.Top): ReadonlyArray<string> => {
  const ast = query === undefined ? undefined : SchemaAST.toType(query.ast)
  return ast?._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : []
}

/** Refuses a request whose query misspells one of the endpoint's parameters. */
export const misspelledQuery = (known: ReadonlyArray<string>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ originalUrl }) => {
    const start = originalUrl.indexOf("?")
    if (start < 0) return Effect.void
    const message = misspelled([...new URLSearchParams(originalUrl.slice(start + 1)).keys()], known)
    return message === undefined ? Effect.void : new InvalidRequestUrl({ message })
  })
