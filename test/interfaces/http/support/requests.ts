// Requests made from the API's own description: nearly right ones, and ones with something odd in one place or in all.
import * as fc from "fast-check"
import type { Ids, Tenant } from "./tenants.ts"
import { slugs } from "./tenants.ts"

/** Stands for an id of one of the tenants until the request is sent. */
class Ref {
  readonly tenant: "own" | "other"
  readonly name: string
  constructor(tenant: "own" | "other", name: string) {
    this.tenant = tenant
    this.name = name
  }
}

export interface Operation {
  readonly method: string
  /** With `{param}` places. */
  readonly path: string
  readonly query: ReadonlyArray<{ readonly name: string; readonly schema: any }>
  readonly body: { readonly type: string; readonly schema: any } | undefined
}

export interface Sent {
  readonly operation: Operation
  readonly target: string
  readonly credential: "key" | "memberKey" | "readToken"
  readonly body: string | FormData | undefined
  readonly headers: Record<string, string>
}

const methods = ["get", "post", "put", "delete"]

const operationsOf = (spec: any): ReadonlyArray<Operation> =>
  Object.entries<any>(spec.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method] !== undefined && path.startsWith("/v1/"))
      .map((method) => {
        const [body] = Object.entries<any>(item[method].requestBody?.content ?? {})
        return {
          method: method.toUpperCase(),
          path,
          query: (item[method].parameters ?? []).filter((p: any) => p.in === "query"),
          body: body && { type: body[0], schema: body[1].schema }
        }
      })
  )

const oddStrings = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "\u0000",
    "a\u0000b",
    "\\u0000",
    "\ud800",
    "x\udfff",
    "\u202eevil",
    "שלום",
    "🜁",
    "%00",
    "%zz"
  ),
  fc.constantFrom(
    "null",
    "-1",
    "1e400",
    "0x10",
    "2026-02-30",
    "2026-13-01 25:61",
    "' OR 1=1 --",
    "__proto__",
    "constructor"
  ),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.nat({ max: 40 }).map((n) => "長".repeat(n * 500))
)
const oddNumbers = fc.constantFrom(0, -1, -0, 1.5, 1e21, 2 ** 31, 2 ** 53, 2 ** 63, -(2 ** 63), 1e308, 5e-324)
/** Becomes brackets in the text that is sent: deeper than a value can be copied. */
const deep = fc.constantFrom(20, 500, 3_000, 100_000).map((n) => `@deep:${n}@` as unknown)
const deepened = (text: string) =>
  text.replace(/"@deep:(\d+)@"/g, (_, n) => `${"[".repeat(Number(n))}1${"]".repeat(Number(n))}`)
const idNames = ["user_id", "workspace_id", "app_id", "field_id", "view_id", "record_id", "automation_id", "option_id"]
const refs = fc
  .tuple(fc.constantFrom("own" as const, "other" as const), fc.constantFrom(...idNames))
  .map(([tenant, name]) => new Ref(tenant, name) as unknown)
const odd: fc.Arbitrary<unknown> = fc.oneof(
  oddStrings,
  oddNumbers,
  refs,
  deep,
  fc.constantFrom(null, true, false, [], {}, [[]], [null], { __proto__: null }, { toString: 1 }),
  fc.jsonValue({ maxDepth: 3, stringUnit: "binary" })
)

const person = new Ref("own", "user_id") as unknown
/** Inputs that fit the field of the slug (developer-api.md 3.2). */
const fitting: Record<string, ReadonlyArray<unknown>> = {
  html: ["<b>bold</b><script>x</script>", ""],
  number: [1, -12.345, "12"],
  single_date: ["2026-02-01"],
  date: ["2026-02-01 15:00", { start: "2026-02-01" }],
  range: ["2026-02-01 - 2026-02-03", null],
  status: [new Ref("own", "option_id")],
  user: [person],
  users: [[person], [new Ref("other", "user_id")], []],
  checklist: [["one", { title: "two", completed: true, assignee: person }]],
  email: ["a@example.com", [{ type: "home", email: "b@example.com" }]],
  phone: ["+43 1 234"],
  link: ["https://example.com/a", [{ url: "https://example.com/b" }]],
  location: ["Vienna", { street_address: "Ring 1", city: "Vienna" }]
}
const recordFields = fc
  .array(
    fc
      .constantFrom(...slugs)
      .chain((slug) =>
        fc.tuple(
          fc.oneof({ weight: 15, arbitrary: fc.constant(slug) }, { weight: 1, arbitrary: oddStrings }),
          fc.oneof(
            { weight: 15, arbitrary: fc.constantFrom(...(fitting[slug] ?? ["a text", null])) },
            { weight: 1, arbitrary: fc.oneof(odd, fc.array(odd, { maxLength: 3 })) }
          )
        )
      ),
    { maxLength: 4 }
  )
  .map((entries) => Object.fromEntries([["status", new Ref("own", "option_id")] as const, ...entries]) as unknown)

/** Words that a member of the name takes. */
const words: Record<string, ReadonlyArray<string>> = {
  email: ["a@example.com", "b@example.com"],
  url: ["https://93.184.216.34/in", "http://127.0.0.1/"],
  since: ["2026-02-01 10:00:00"],
  until: ["2026-02-01 10:00"],
  field_type: ["number", "status"],
  color: ["red"],
  timezone: ["UTC", "Europe/Vienna"],
  time_of_day: ["08:00"]
}

const mostly = <A>(right: fc.Arbitrary<A>, other: fc.Arbitrary<A>) =>
  fc.oneof({ weight: 14, arbitrary: right }, { weight: 1, arbitrary: other })
/** Builds an arbitrary when it is drawn from: schemas recur. */
const later = <A>(make: () => fc.Arbitrary<A>) => fc.nat(0).chain(make)

/** Values of a schema of the description, ids of both tenants where a key asks for one. */
const fromSchema = (spec: any, schema: any, key: string, depth: number): fc.Arbitrary<unknown> => {
  if (schema.$ref !== undefined) {
    const [, ...steps] = schema.$ref.split("/")
    const referencedSchema = steps.reduce((at: any, step: string) => at[step], spec)
    return fromSchema(spec, referencedSchema, key, depth)
  }
  if (key === "fields" && schema.type === "object" && schema.properties === undefined) return recordFields
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const union = schema.anyOf ?? schema.oneOf
  if (union !== undefined)
    return fc.oneof(...union.map((one: any) => later(() => fromSchema(spec, one, key, depth - 1))))
  if (depth <= 0) return schema.type === "array" ? fc.constant([]) : fc.constantFrom("a", null, 1)
  switch (schema.type) {
    case "string":
      return mostly(
        fc.constantFrom(...(words[key] ?? ["Name", "A", schema.default ?? "Text"])),
        oddStrings as fc.Arbitrary<string>
      )
    case "integer":
    case "number":
      return idNames.includes(key)
        ? mostly(fc.constant(new Ref("own", key)), fc.constant(new Ref("other", key)))
        : mostly(
            fc.integer({ min: schema.minimum > 0 ? schema.minimum : 1, max: 5_000 }) as fc.Arbitrary<unknown>,
            refs
          )
    case "boolean":
      return fc.boolean()
    case "null":
      return fc.constant(null)
    case "array":
      return fc.array(
        later(() => fromSchema(spec, schema.items ?? {}, key, depth - 1)),
        { maxLength: 2 }
      )
    case "object":
      return fc.record(
        Object.fromEntries(
          Object.entries<any>(schema.properties ?? {}).map(([k, inner]) => [
            k,
            later(() => fromSchema(spec, inner, k, depth - 1))
          ])
        ),
        { requiredKeys: schema.required ?? [], noNullPrototype: true }
      )
    default:
      return odd
  }
}

/** One place of a body removed, replaced or joined by a stranger. */
const spoil = (body: unknown, at: number, junk: unknown): unknown => {
  const slots: Array<readonly [any, string]> = []
  const copy = (node: unknown, depth: number): unknown => {
    if (typeof node !== "object" || node === null || node instanceof Ref || depth > 12) return node
    const out: any = Array.isArray(node) ? [] : {}
    for (const [key, value] of Object.entries(node)) {
      Object.defineProperty(out, key, {
        value: copy(value, depth + 1),
        enumerable: true,
        writable: true,
        configurable: true
      })
      slots.push([out, key])
    }
    return out
  }
  const root = copy(body, 0)
  if (slots.length === 0) return junk
  const [node, key] = slots[at % slots.length]!
  if (at % 3 === 0) delete node[key]
  else if (at % 3 === 1) node[key] = junk
  else node[`${key}x`] = junk
  return root
}

const pathValue = (name: string): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constant(new Ref("own", name)) },
    { weight: 6, arbitrary: fc.constant(new Ref("other", name)) },
    {
      weight: 3,
      arbitrary: fc.oneof(oddStrings, oddNumbers.map(String), fc.constantFrom("9".repeat(30), "1;", "1%2f2"))
    }
  )

const queryValue = (spec: any, name: string, schema: any): fc.Arbitrary<unknown> =>
  name === "cursor"
    ? fc.oneof(fc.constantFrom(new Ref("own", "cursor"), new Ref("other", "cursor")), oddStrings)
    : mostly(
        fromSchema(spec, name === "limit" ? { type: "integer" } : schema, name, 2),
        fc.oneof(oddStrings, fc.constantFrom("0", "1", "500", "-1", "true")) as fc.Arbitrary<unknown>
      )

export interface Drawn {
  readonly operation: Operation
  readonly path: Record<string, unknown>
  readonly query: Record<string, unknown>
  readonly body: unknown
  readonly credential: Sent["credential"]
  readonly contentType: string | undefined
  readonly idempotencyKey: string | undefined
}

const bodyOf = (spec: any, operation: Operation): fc.Arbitrary<unknown> => {
  if (operation.body === undefined)
    return fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, { weight: 2, arbitrary: odd })
  const right = fromSchema(spec, operation.body.schema, "", 7)
  return fc.oneof(
    { weight: 7, arbitrary: right },
    { weight: 5, arbitrary: fc.tuple(right, fc.nat(), odd).map(([body, at, junk]) => spoil(body, at, junk)) },
    { weight: 2, arbitrary: odd }
  )
}

export const requests = (spec: any): fc.Arbitrary<Drawn> =>
  fc.constantFrom(...operationsOf(spec)).chain((operation) => {
    const params = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
    return fc.record({
      operation: fc.constant(operation),
      path: fc.record(Object.fromEntries(params.map((name) => [name, pathValue(name)]))),
      query: fc.record(
        Object.fromEntries(operation.query.map(({ name, schema }) => [name, queryValue(spec, name, schema)])),
        { requiredKeys: [] }
      ),
      body: bodyOf(spec, operation),
      credential: fc.constantFrom(
        "key" as const,
        "key" as const,
        "key" as const,
        "memberKey" as const,
        "readToken" as const
      ),
      contentType: fc.oneof(
        { weight: 12, arbitrary: fc.constant(undefined) },
        {
          weight: 1,
          arbitrary: fc.constantFrom(
            "text/plain",
            "multipart/form-data",
            "application/x-www-form-urlencoded",
            "",
            "application/json; charset=latin1",
            "x"
          )
        }
      ),
      idempotencyKey: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.uuid() })
    })
  })

const resolve = (value: unknown, own: Tenant, other: Tenant): unknown => {
  if (value instanceof Ref) {
    const tenant = value.tenant === "own" ? own : other
    return value.name === "cursor" ? tenant.cursor : ((tenant.ids as Ids)[value.name] ?? 1)
  }
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((item) => resolve(item, own, other))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item, own, other)]))
}

/** Percent-encoding that also takes halves of surrogate pairs; `%` itself stays, so that broken escapes are sent too. */
const encode = (text: string) => encodeURIComponent(text.toWellFormed()).replaceAll("%25", "%")

const formOf = (drawn: Drawn, own: Tenant, other: Tenant) => {
  const form = new FormData()
  const parts = drawn.body as { readonly file?: unknown } | undefined
  for (const part of Array.isArray(parts?.file) ? parts.file : [parts]) {
    form.append("file", new Blob([String(JSON.stringify(resolve(part, own, other)))]), "name.txt")
  }
  return form
}

export const sentOf = (drawn: Drawn, own: Tenant, other: Tenant): Sent => {
  const { operation, contentType, idempotencyKey } = drawn
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => encode(String(resolve(drawn.path[name], own, other))))
  const query = Object.entries(drawn.query).map(([name, value]) => {
    const text = resolve(value, own, other)
    return `${name}=${encode(typeof text === "string" ? text : JSON.stringify(text))}`
  })
  const multipart = operation.body?.type === "multipart/form-data" && contentType === undefined
  const headers: Record<string, string> = {}
  if (contentType !== undefined) headers["content-type"] = contentType
  if (idempotencyKey !== undefined) headers["idempotency-key"] = idempotencyKey
  const body = drawn.body === undefined ? undefined : deepened(JSON.stringify(resolve(drawn.body, own, other)))
  return {
    operation,
    target: query.length === 0 ? path : `${path}?${query.join("&")}`,
    credential: drawn.credential,
    body: operation.method === "GET" ? undefined : multipart ? formOf(drawn, own, other) : body,
    headers
  }
}
