// Reads from the description what a request of each operation needs.
import {
  type Described,
  type Operation as DescribedOperation,
  operationsIn,
  type Parameter,
  resolvedIn
} from "../../../src/api/description/operationsIn.ts"
import type { Route } from "../src/route.ts"

export type Json = Described

export interface Operation {
  /** `group.operation` */
  readonly id: string
  readonly route: Route
  /** Parameters of path and query. */
  readonly parameters: ReadonlyArray<Parameter>
  readonly body?: Json
  /** None where the answer is no JSON. */
  readonly answer?: Json
}

const JSON_TYPE = "application/json"
const MULTIPART = "multipart/form-data"
/** Members that every page has besides its collection (developer-api.md 1.4). */
const PAGE = new Set(["total", "cursor"])

/** The collection of a page, and where its cursor goes. */
const pageOf = (spec: Json, parameters: ReadonlyArray<Parameter>, body?: Json, answer?: Json): Route["page"] => {
  const members = Object.keys(answer === undefined ? {} : (resolvedIn(spec, answer)["properties"] ?? {}))
  const [items, ...more] = members.filter((name) => !PAGE.has(name))
  if (!members.includes("cursor") || items === undefined || more.length > 0) return undefined
  if (parameters.some(({ name }) => name === "cursor")) return { cursor: "query", items }
  return body !== undefined && "cursor" in (resolvedIn(spec, body)["properties"] ?? {})
    ? { cursor: "body", items }
    : undefined
}

const operationOf = (spec: Json, described: DescribedOperation): Operation => {
  const parameters = described.parameters.filter((one) => one.in !== "header")
  const headers = described.parameters.filter((one) => one.in === "header").map(({ name }) => name)
  const success = described.answers.find(({ status }) => /^2\d\d$/.test(status))!
  const body = described.body?.type === JSON_TYPE ? described.body.schema : undefined
  const answer = success.content?.type === JSON_TYPE ? success.content.schema : undefined
  const page = pageOf(spec, parameters, body, answer)
  return {
    id: described.id,
    route: {
      method: described.method as Route["method"],
      path: described.path,
      query: parameters.filter((one) => one.in === "query").map(({ name }) => name),
      body: body !== undefined ? "json" : described.body?.type === MULTIPART ? "form" : "none",
      answer: answer !== undefined ? "json" : "stream",
      ...(headers.includes("Idempotency-Key") ? { idempotent: true } : {}),
      ...(page === undefined ? {} : { page })
    },
    parameters,
    ...(body === undefined ? {} : { body }),
    ...(answer === undefined ? {} : { answer })
  }
}

/** All of them in the description's order. */
export const operationsOf = (spec: Json): ReadonlyArray<Operation> =>
  operationsIn(spec).map((one) => operationOf(spec, one))
