// The operations of the API as methods, grouped as its description groups them; all of it follows from src/generated.
import { routes } from "./generated/routes.ts"
import type { Api } from "./generated/types.ts"
import type { Route } from "./route.ts"
import { type ClientOptions, type Input, makeTransport, type RequestOptions, type Transport } from "./transport.ts"

type Operations = Api["operations"]
export type OperationId = keyof Operations & keyof typeof routes

type Body<O> = O extends { body: infer B } ? ({} extends B ? { readonly body?: B } : { readonly body: B }) : {}
type Form<K extends OperationId> = (typeof routes)[K]["body"] extends "form" ? { readonly body: FormData } : {}

/** Input of an operation: parameters of path and query by their names, and its body. */
export type InputOf<K extends OperationId> = Operations[K]["parameters"] & Body<Operations[K]> & Form<K>
/** Answer of an operation; the `Response` itself if the answer is not JSON. */
export type AnswerOf<K extends OperationId> = Operations[K] extends { answer: infer A } ? A : Response

export type Arguments<I> = {} extends I ? [input?: I, options?: RequestOptions] : [input: I, options?: RequestOptions]

export type ItemOf<K extends OperationId> = (typeof routes)[K] extends { page: { items: infer N } }
  ? AnswerOf<K> extends infer A
    ? N extends keyof A
      ? A[N] extends ReadonlyArray<infer T>
        ? T
        : never
      : never
    : never
  : never

/** Calls an operation. @throws ApiError, TransportError */
export type Method<K extends OperationId> = (...args: Arguments<InputOf<K>>) => Promise<AnswerOf<K>>
/** Calls an operation that answers with pages (developer-api.md 1.4). `each` iterates their items and requests further pages as needed. */
export interface PagedMethod<K extends OperationId> extends Method<K> {
  readonly each: (...args: Arguments<InputOf<K>>) => AsyncIterableIterator<ItemOf<K>>
}

export type GroupOf<K> = K extends `${infer G}.${string}` ? G : never
export type Named<G extends string> = Extract<OperationId, `${G}.${string}`>
type Group<G extends string> = {
  readonly [K in Named<G> as K extends `${G}.${infer N}` ? N : never]: (typeof routes)[K] extends { page: object }
    ? PagedMethod<K>
    : Method<K>
}

export type Client = { readonly [G in GroupOf<OperationId>]: Group<G> } & { readonly transport: Transport }

async function* items(transport: Transport, route: Route, given: Input, { signal }: RequestOptions = {}) {
  const { cursor: place, items } = route.page!
  let input = given
  for (;;) {
    const page = (await transport.request(route, input, signal === undefined ? {} : { signal })) as Record<
      string,
      unknown
    >
    yield* page[items] as ReadonlyArray<unknown>
    const { cursor } = page
    if (typeof cursor !== "string") return
    input =
      place === "query" ? { ...input, cursor } : { ...input, body: { ...(input.body as object | undefined), cursor } }
  }
}

const methodOf = (transport: Transport, route: Route) => {
  const method = (input: Input = {}, options?: RequestOptions) => transport.request(route, input, options)
  return route.page === undefined
    ? method
    : Object.assign(method, {
        each: (input: Input = {}, options?: RequestOptions) => items(transport, route, input, options)
      })
}

/** A client of one service for one caller. @see uploadFile, downloadFile for files with progress, tableOf for typed records */
export const makeClient = (options: ClientOptions): Client => {
  const transport = makeTransport(options)
  const groups: Record<string, Record<string, unknown>> = {}
  for (const [id, route] of Object.entries<Route>(routes)) {
    const [group, name] = id.split(".") as [string, string]
    groups[group] ??= {}
    groups[group][name] = methodOf(transport, route)
  }
  return { ...groups, transport } as unknown as Client
}
