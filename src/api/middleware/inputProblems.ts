// Names what does not fit in a request: the path in its body, query, path or headers, and what is expected there (developer-api.md 1.5).

import { Effect, type SchemaIssue } from "effect"
import { HttpServerRequest } from "effect/http"
import type { HttpApiError } from "effect/http-api"
import type { Excess } from "../../platform/bounds/Bounds.ts"
import { InvalidRequestUrl } from "../../platform/primitives/errors.ts"
import { pathOf } from "../../platform/primitives/requestPath.ts"
import { type SchemaProblem, schemaProblemsOf } from "../../platform/text/schemaProblems.ts"

/** `["filter"]["rows"][1]` as `filter.rows[1]`. */
const formatPath = (path: ReadonlyArray<PropertyKey>): string =>
  path.reduce<string>(
    (out, key) => (typeof key === "number" ? `${out}[${key}]` : out === "" ? String(key) : `${out}.${String(key)}`),
    ""
  )

export const describeExcess = ({ message, path }: Excess): string =>
  path.length === 0 ? message : `${formatPath(path)}: ${message}`

/** The first few, each with its path. */
const describeProblems = (problems: ReadonlyArray<SchemaProblem>, whole: string): string =>
  problems
    .slice(0, 5)
    .map(({ message, path }) => `${path.length === 0 ? whole : formatPath(path)}: ${message}`)
    .join("; ")

/** @param whole what has no path is called so */
export const describeIssue = (issue: SchemaIssue.Issue, whole: string): string =>
  describeProblems(schemaProblemsOf(issue), whole)

const notJson = "Expected a valid JSON body"

/** A parameter of a query is a text, unless it is repeated. */
const onlyOnce = (problems: ReadonlyArray<SchemaProblem>) =>
  problems.map((problem) =>
    problem.message === "Expected string" ? { ...problem, message: "Expected one value only" } : problem
  )

/** Parameters of a page's size and start. Their bounds are a rule of the listing (developer-api.md 1.4), wherever they are sent. */
const amounts: ReadonlySet<unknown> = new Set(["limit", "offset", "seconds"])
const onlyLimit = (problems: ReadonlyArray<SchemaProblem>) =>
  problems.every(({ beyond, path }) => beyond && path.length === 1 && amounts.has(path[0]))

/** Code and message of an undecodable request; `undefined` when the fault is ours (a body that we could not encode). */
export const inputProblem = (
  error: HttpApiError.HttpApiSchemaError
): { readonly code: string; readonly message: string } | undefined => {
  const problems = schemaProblemsOf(error.cause.issue)
  switch (error.kind) {
    case "Params":
      return { code: "invalid_request_url", message: describeProblems(problems, "path") }
    case "Query":
      return {
        code: onlyLimit(problems) ? "validation" : "invalid_request_url",
        message: describeProblems(onlyOnce(problems), "query")
      }
    case "Payload":
      return problems[0]?.message === notJson
        ? { code: "invalid_json", message: "The body is not JSON." }
        : { code: onlyLimit(problems) ? "validation" : "input_validation", message: describeProblems(problems, "body") }
    case "Headers":
      return { code: "input_validation", message: describeProblems(problems, "headers") }
    default:
      return undefined
  }
}

/** Postgres takes no NUL: refused where a path or a query holds it, as in bodies. */
export const nulInTarget = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ originalUrl }) => {
  if (!originalUrl.includes("%00")) return Effect.void
  const path = pathOf(originalUrl)
  const query = originalUrl.slice(originalUrl.indexOf("?") + 1).split("&")
  const name = path.includes("%00") ? "path" : query.find((one) => one.includes("%00"))?.split("=")[0]
  return new InvalidRequestUrl({ message: `${name}: contains a NUL character.` })
})
