// Defines a tool: an endpoint of the Developer API with arguments a model can fill in. Path, scope, credits, guard, errors and the output's
// shape come from the endpoint itself, so a tool does exactly what the API does (service.md 1, developer-api.md 2.4).
import { Context, Effect, Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { describeExcess, describeIssue } from "../../api/middleware/inputProblems.ts"
import { takesKey } from "../../api/middleware/payload.ts"
import { type Requirement, Requires } from "../../api/middleware/Requires.ts"
import type { InProcessCall } from "../../domain/accounts/InProcess.ts"
import type { Scope } from "../../domain/accounts/Scope.ts"
import { storedBounds } from "../../platform/bounds/Bounds.ts"
import { cut } from "../../platform/bounds/cut.ts"
import { meantArguments } from "./argumentCorrection.ts"
import { FollowedRun } from "./followRun.ts"
import { exactSchema, inputSchema, outputSchema, type SchemaNode, type ToolJsonSchema } from "./jsonSchema.ts"
import type { ToolContext } from "./ToolContext.ts"

type Groups = (typeof Api)["groups"]
type EndpointName<G extends keyof Groups> = string & keyof Groups[G]["endpoints"]

/** MCP tool annotations: what a host tells its user before a call. */
export interface Hints {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  /** Reaches beyond the service: other people's servers, mail. */
  readonly openWorldHint: boolean
}
const hints = (readOnlyHint: boolean, destructiveHint: boolean, idempotentHint: boolean, openWorldHint = false) => ({
  readOnlyHint,
  destructiveHint,
  idempotentHint,
  openWorldHint
})
export const reads: Hints = hints(true, false, true)
/**
 * Hints as they are listed (MCP, "ToolAnnotations"): of a tool that only reads, what they say about changes means nothing, and a tool that
 * does not say so is not idempotent.
 */
export const shownHints = ({ destructiveHint, idempotentHint, openWorldHint, readOnlyHint }: Hints) => ({
  readOnlyHint,
  ...(readOnlyHint ? {} : { destructiveHint, ...(idempotentHint ? { idempotentHint } : {}) }),
  openWorldHint
})
/** Adds something; a repeat adds another. */
export const adds: Hints = hints(false, false, false)
/** Sets something; a repeat changes nothing more. */
export const sets: Hints = hints(false, false, true)
/** Overwrites or removes what was there. */
export const replaces: Hints = hints(false, true, true)
/** Does whatever the user's definition says, outside the service too. */
export const acts: Hints = hints(false, true, false, true)

type Arguments = Readonly<Record<string, unknown>>

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly hints: Hints
  readonly requirement: Requirement
  readonly inputSchema: ToolJsonSchema
  /** The arguments as they are decoded. */
  readonly input: Schema.Top
  readonly outputSchema: ToolJsonSchema
  /** The arguments as they were meant (`argumentCorrection.ts`). */
  readonly meant: (args: unknown) => unknown
  /** The call that the arguments stand for, or why they do not fit. */
  readonly request: (args: unknown) => Effect.Effect<InProcessCall, ArgumentsInvalid>
  /** True if the tool asks for a run, whose id and outcome its answer tells. */
  readonly follows: boolean
  /** The task that its answer stands for, by id. */
  readonly taskOf?: (desk: ToolContext, answer: any) => string
  /** The part of the API's answer that was asked for. */
  readonly shape: (body: unknown, args: Arguments) => unknown
}

class ArgumentsInvalid extends Schema.TaggedError<ArgumentsInvalid>()("ArgumentsInvalid", {
  message: Schema.String
}) {}

interface Instead<G extends keyof Groups> {
  readonly endpoint: EndpointName<G>
  readonly params?: Arguments
}

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
  /** Arguments of the query, where a body is made of the others. */
  readonly query?: ReadonlyArray<keyof F & string>
  /** Values of arguments that were not given. */
  readonly defaults?: Readonly<Record<string, unknown>>
  /**
   * Schemas that replace those of single arguments, or members that are added to them: shorter ones where the schema says more than a model
   * needs, and descriptions where it says nothing.
   */
  readonly shown?: { readonly [K in keyof F]?: SchemaNode }
  /** Optional texts that mean something when they are empty; any other is left out then. */
  readonly emptied?: ReadonlyArray<keyof F & string>
  /** Another endpoint of the same scope and cost that these arguments ask for; `params` where its path names them otherwise. */
  readonly instead?: (args: Partial<Schema.Struct.Type<F>>) => Instead<G> | undefined
  /** Arguments that the tool itself uses; the API does not see them. */
  readonly own?: ReadonlyArray<keyof F & string>
  /** The tool asks for a run, whose outcome its answer tells (`followRun.ts`). */
  readonly follows?: true
  readonly taskOf?: Tool["taskOf"]
  /** Reduces the API's answer to the part that a model needs; `output` is then its shape. */
  readonly shape?: (body: any, args: Partial<Schema.Struct.Type<F>>) => unknown
  readonly output?: Schema.Top
}

/** An argument of a retried POST: developer-api.md 1.8. */
const idempotencyKey = Schema.optionalKey(
  Schema.String.check(Schema.isBetweenLength(1, 255), Schema.isPattern(/^[\x20-\x7e]*$/)).annotate({
    description: "Same key, same answer."
  })
)

export const endpointOf = <G extends keyof Groups>(group: G, name: EndpointName<G>): HttpApiEndpoint.Top =>
  (Api.groups[group].endpoints as unknown as Record<string, HttpApiEndpoint.Top>)[name]!

const pick = (args: Arguments, names: ReadonlyArray<string>) =>
  Object.fromEntries(names.filter((name) => args[name] !== undefined).map((name) => [name, args[name]]))

/** Half of a character, nothing, or a step to another address. */
const noSegment = (value: string) => !value.isWellFormed() || /^\.{0,2}$/.test(value)

/** The first argument that cannot stand in its place of the path. */
const misplaced = (path: string, args: Arguments) =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!).find((name) => noSegment(String(args[name])))

/** Path parameters take their place, `query` the rest. */
const fillPath = (path: string, args: Arguments, query: ReadonlyArray<string>): string => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(pick(args, query))) search.set(name, String(value))
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(args[name])))
  return search.size === 0 ? filled : `${filled}?${search}`
}

const successOf = (endpoint: HttpApiEndpoint.Top): Schema.Top => [...endpoint.success.values()][0] as Schema.Top

const scopeLine = (scope: Scope | undefined) => (scope === undefined ? "Scope: none." : `Scope: ${scope}.`)

export const tool = <G extends keyof Groups, const F extends Schema.Struct.Fields>(
  definition: Definition<G, F>
): Tool => {
  const [group, name] = definition.endpoint
  const endpoint = endpointOf(group, name)
  const requirement = Context.get(endpoint.annotations, Requires)
  const names = Object.keys(definition.args)
  const repeatable = takesKey(endpoint) && !definition.hints.readOnlyHint
  const input = Schema.Struct({
    ...definition.args,
    ...(repeatable ? { idempotency_key: idempotencyKey } : {})
  }) as unknown as Schema.Codec<Arguments, unknown>
  const decode = Schema.decodeUnknownEffect(input, { onExcessProperty: "error", errors: "all" })
  const findExcess = storedBounds(input)
  const exact = exactSchema(input)
  /** A schema without members takes any object (Effect's `Struct({})`): here none of its keys was asked for. */
  const unasked = (args: unknown): string | undefined =>
    names.length === 0 && !repeatable ? Object.keys(args ?? {})[0] : undefined
  const { body, instead } = definition as unknown as {
    readonly body: ReadonlyArray<string> | ((args: Arguments) => unknown) | undefined
    readonly instead: ((args: Arguments) => Instead<G> | undefined) | undefined
  }
  // A body that is made takes every argument that is not in the path.
  const queryNames = new Set<string>(definition.query ?? [])
  const bodyNames = typeof body === "function" ? names.filter((one) => !queryNames.has(one)) : (body ?? [])
  const usedNames = new Set<string>([...bodyNames, ...(definition.own ?? [])])
  const makeBody = (args: Arguments) =>
    body === undefined ? {} : { body: typeof body === "function" ? body(args) : pick(args, body) }
  return {
    name: definition.name,
    title: definition.title,
    description: `${definition.description} ${scopeLine(requirement.scope)}`,
    hints: definition.hints,
    requirement,
    inputSchema: inputSchema(exact, definition.shown as Readonly<Record<string, SchemaNode>> | undefined),
    input,
    meant: meantArguments(exact, new Set<string>(definition.emptied ?? [])),
    outputSchema: outputSchema(definition.follows ? FollowedRun : (definition.output ?? successOf(endpoint))),
    follows: definition.follows ?? false,
    ...(definition.taskOf === undefined ? {} : { taskOf: definition.taskOf }),
    shape: (definition.shape ?? ((answer: unknown) => answer)) as Tool["shape"],
    request: Effect.fnUntraced(
      function* (args) {
        const excess = findExcess(args)
        if (excess !== undefined) return yield* new ArgumentsInvalid({ message: describeExcess(excess) })
        const stray = unasked(args)
        if (stray !== undefined)
          return yield* new ArgumentsInvalid({ message: `${stray}: Expected no excess property` })
        const decodedArgs = { ...definition.defaults, ...(yield* decode(args ?? {})) } as Arguments
        const other = instead?.(decodedArgs)
        const path = other === undefined ? endpoint.path : endpointOf(group, other.endpoint).path
        const query = names.filter((one) => !usedNames.has(one) && !path.includes(`:${one}`))
        const key = decodedArgs["idempotency_key"]
        const placed = { ...decodedArgs, ...other?.params }
        const wrong = misplaced(path, placed)
        if (wrong !== undefined) return yield* new ArgumentsInvalid({ message: `${wrong}: there is no such id.` })
        return {
          method: endpoint.method,
          path: fillPath(path, placed, query),
          ...makeBody(decodedArgs),
          ...(key === undefined ? {} : { headers: { "idempotency-key": String(key) } })
        }
      },
      Effect.catchTag(
        "SchemaError",
        (error) => new ArgumentsInvalid({ message: cut(describeIssue(error.issue, "arguments"), 4_000) })
      )
    )
  }
}
