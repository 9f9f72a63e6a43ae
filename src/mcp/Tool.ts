// What a tool is: an endpoint of the Developer API with arguments a model can fill in. Path, scope, credits, guard, errors and
// the output's shape come from the endpoint itself, so a tool does exactly what the API does (service.md 1, developer-api.md 2.4).
import { Context, Effect, Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import type { Scope } from "../accounts/Scope.ts"
import { Api } from "../http/Api.ts"
import type { InProcessCall } from "../http/InProcess.ts"
import { describeIssue } from "../http/input.ts"
import { type Requirement, Requires } from "../http/Requires.ts"
import { type JsonSchema, objectSchema } from "./jsonSchema.ts"

type Groups = (typeof Api)["groups"]
type EndpointName<G extends keyof Groups> = string & keyof Groups[G]["endpoints"]

/** MCP tool annotations: what a host tells its user before a call. */
export interface Hints {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
}
export const reads: Hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true }
/** Adds something; a repeat adds another. */
export const adds: Hints = { readOnlyHint: false, destructiveHint: false, idempotentHint: false }
/** Sets something; a repeat changes nothing more. */
export const sets: Hints = { readOnlyHint: false, destructiveHint: false, idempotentHint: true }
/** Overwrites or removes what was there. */
export const replaces: Hints = { readOnlyHint: false, destructiveHint: true, idempotentHint: true }

type Arguments = Readonly<Record<string, unknown>>

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly hints: Hints
  readonly requirement: Requirement
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
  /** The call that the arguments stand for, or why they do not fit. */
  readonly request: (args: unknown) => Effect.Effect<InProcessCall, ArgumentsInvalid>
}

export class ArgumentsInvalid extends Schema.TaggedError<ArgumentsInvalid>()("ArgumentsInvalid", {
  message: Schema.String
}) {}

interface Definition<G extends keyof Groups, F extends Schema.Struct.Fields> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly hints: Hints
  /** Group and name of the endpoint. */
  readonly endpoint: readonly [G, EndpointName<G>]
  readonly args: F
  /** Arguments that make up the body, by name; or the body made of them. None for an endpoint without body. */
  readonly body?: ReadonlyArray<keyof F & string> | ((args: Schema.Struct.Type<F>) => unknown)
  /** Values for query parameters that were not given. */
  readonly defaults?: Readonly<Record<string, unknown>>
}

/** An argument of a retried POST: developer-api.md 1.8. */
const idempotencyKey = Schema.optionalKey(
  Schema.String.check(Schema.isBetweenLength(1, 255)).annotate({
    description: "Any text unique to this intent. A call repeated with the same key is answered from the first one."
  })
)

export const endpointOf = <G extends keyof Groups>(group: G, name: EndpointName<G>): HttpApiEndpoint.Top =>
  (Api.groups[group].endpoints as unknown as Record<string, HttpApiEndpoint.Top>)[name]!

const pick = (args: Arguments, names: ReadonlyArray<string>) =>
  Object.fromEntries(names.filter((name) => args[name] !== undefined).map((name) => [name, args[name]]))

const bodyOf = (body: Definition<never, never>["body"], args: Arguments): unknown => {
  if (body === undefined) return undefined
  return typeof body === "function" ? (body as (args: Arguments) => unknown)(args) : pick(args, body)
}

/** Path parameters take their place, the rest that is no body goes into the query. */
const place = (path: string, args: Arguments, inBody: ReadonlySet<string>): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(args)) {
    if (!inBody.has(name) && value !== undefined && !path.includes(`:${name}`)) query.set(name, String(value))
  }
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(args[name])))
  return query.size === 0 ? filled : `${filled}?${query}`
}

const successOf = (endpoint: HttpApiEndpoint.Top): Schema.Top => [...endpoint.success.values()][0] as Schema.Top

const scopeLine = (scope: Scope | undefined) => (scope === undefined ? "Needs no scope." : `Needs the scope ${scope}.`)

export const tool = <G extends keyof Groups, const F extends Schema.Struct.Fields>(
  definition: Definition<G, F>
): Tool => {
  const endpoint = endpointOf(...definition.endpoint)
  const requirement = Context.get(endpoint.annotations, Requires)
  const repeatable = endpoint.method === "POST" && !definition.hints.readOnlyHint
  const input = Schema.Struct({
    ...definition.args,
    ...(repeatable ? { idempotency_key: idempotencyKey } : {})
  }) as unknown as Schema.Codec<Arguments, unknown>
  const decode = Schema.decodeUnknownEffect(input, { onExcessProperty: "error", errors: "all" })
  const listed = Array.isArray(definition.body) ? (definition.body as ReadonlyArray<string>) : []
  // A body made by a function takes every argument that is not part of the path.
  const inBody = new Set(typeof definition.body === "function" ? Object.keys(definition.args) : listed)
  return {
    name: definition.name,
    title: definition.title,
    description: `${definition.description} ${scopeLine(requirement.scope)}`,
    hints: definition.hints,
    requirement,
    inputSchema: objectSchema(input, "closed"),
    outputSchema: objectSchema(successOf(endpoint), "open"),
    request: Effect.fnUntraced(
      function* (args) {
        const { idempotency_key, ...given } = { ...definition.defaults, ...(yield* decode(args ?? {})) }
        const body = bodyOf(definition.body as never, given)
        return {
          method: endpoint.method,
          path: place(endpoint.path, given, inBody),
          ...(body === undefined ? {} : { body }),
          ...(idempotency_key === undefined ? {} : { headers: { "idempotency-key": String(idempotency_key) } })
        }
      },
      Effect.catchTag("SchemaError", (error) => new ArgumentsInvalid({ message: describeIssue(error.issue) }))
    )
  }
}
