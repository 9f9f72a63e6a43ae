// The operations of a description, each with what a request needs.
import type { Route } from "../src/route.ts"

export type Json = Record<string, any>

export interface Parameter {
  readonly name: string
  readonly in: "path" | "query"
  readonly required: boolean
  readonly schema: Json
}

export interface Operation {
  /** `group.operation` */
  readonly id: string
  readonly route: Route
  readonly parameters: ReadonlyArray<Parameter>
  readonly body?: Json
  /** None where the answer is no JSON. */
  readonly answer?: Json
}

const METHODS = ["get", "post", "put", "delete"] as const
const JSON_TYPE = "application/json"
const MULTIPART = "multipart/form-data"
/** Beside the collection, in every page (developer-api.md 1.4). */
const PAGE = new Set(["total", "cursor"])

const resolved = (spec: Json, schema: Json): Json =>
  typeof schema["$ref"] === "string" ? spec["components"]["schemas"][schema["$ref"].split("/").at(-1)!] : schema

/** The collection of a page, and where its cursor goes. */
const pageOf = (spec: Json, parameters: ReadonlyArray<Parameter>, body?: Json, answer?: Json): Route["page"] => {
  const members = Object.keys(answer === undefined ? {} : (resolved(spec, answer)["properties"] ?? {}))
  const [items, ...more] = members.filter((name) => !PAGE.has(name))
  if (!members.includes("cursor") || items === undefined || more.length > 0) return undefined
  if (parameters.some(({ name }) => name === "cursor")) return { cursor: "query", items }
  return body !== undefined && "cursor" in (resolved(spec, body)["properties"] ?? {})
    ? { cursor: "body", items }
    : undefined
}

const operationOf = (spec: Json, path: string, method: (typeof METHODS)[number], described: Json): Operation => {
  const all = (described["parameters"] as ReadonlyArray<Json>).map((one) =>
    typeof one["$ref"] === "string" ? spec["components"]["parameters"][one["$ref"].split("/").at(-1)!] : one
  )
  const parameters = all.filter((one) => one["in"] === "path" || one["in"] === "query") as unknown as Array<Parameter>
  const headers = new Set(all.filter((one) => one["in"] === "header").map((one) => one["name"]))
  const content = described["requestBody"]?.["content"] ?? {}
  const success = Object.entries<Json>(described["responses"]).find(([status]) => /^2\d\d$/.test(status))![1]
  const body = content[JSON_TYPE]?.["schema"]
  const answer = success["content"]?.[JSON_TYPE]?.["schema"]
  const page = pageOf(spec, parameters, body, answer)
  return {
    id: described["operationId"],
    route: {
      method: method.toUpperCase() as Route["method"],
      path,
      query: parameters.filter((one) => one.in === "query").map(({ name }) => name),
      body: body !== undefined ? "json" : content[MULTIPART] !== undefined ? "form" : "none",
      answer: answer !== undefined ? "json" : "stream",
      ...(headers.has("Idempotency-Key") ? { idempotent: true } : {}),
      ...(page === undefined ? {} : { page })
    },
    parameters,
    ...(body === undefined ? {} : { body }),
    ...(answer === undefined ? {} : { answer })
  }
}

/** All of them in the description's order. */
export const operationsOf = (spec: Json): ReadonlyArray<Operation> =>
  Object.entries<Json>(spec["paths"]).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item[method] === undefined ? [] : [operationOf(spec, path, method, item[method])]))
  )
