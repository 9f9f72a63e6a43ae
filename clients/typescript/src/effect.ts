// Client for programs written with Effect: every operation is an Effect whose errors stand in its type, pages are a Stream.
import { Context, Effect, Layer, Stream } from "effect"
import {
  type AnswerOf,
  type Arguments,
  type GroupOf,
  type InputOf,
  type ItemOf,
  makeClient,
  type Named,
  type OperationId
} from "./Client.ts"
import { ApiError, TransportError } from "./errors.ts"
import { routes } from "./generated/routes.ts"
import type { ClientOptions, RequestOptions } from "./transport.ts"

export type Failure = ApiError | TransportError

type EffectMethod<K extends OperationId> = (...args: Arguments<InputOf<K>>) => Effect.Effect<AnswerOf<K>, Failure>
type Paged<K extends OperationId> = (typeof routes)[K] extends { page: object }
  ? { readonly each: (...args: Arguments<InputOf<K>>) => Stream.Stream<ItemOf<K>, Failure> }
  : {}

export type EffectClient = {
  readonly [G in GroupOf<OperationId>]: {
    readonly [K in Named<G> as K extends `${G}.${infer N}` ? N : never]: EffectMethod<K> & Paged<K>
  }
}

/** Types the errors of the client. Any other exception is a fault of the program, such as a missing parameter. */
const failed = (error: unknown): Failure => {
  if (error instanceof ApiError || error instanceof TransportError) return error
  throw error
}

type Untyped = ((input?: object, options?: RequestOptions) => Promise<unknown>) & {
  readonly each?: (input?: object, options?: RequestOptions) => AsyncIterable<unknown>
}

const methodOf = (method: Untyped) => {
  const run = (input?: object, options?: RequestOptions) =>
    Effect.tryPromise({ try: (signal) => method(input, { ...options, signal }), catch: failed })
  const { each } = method
  return each === undefined
    ? run
    : Object.assign(run, {
        each: (input?: object, options?: RequestOptions) =>
          Stream.suspend(() => Stream.fromAsyncIterable(each(input, options), failed))
      })
}

/** A client of one service for one caller. Interrupted, a request is broken off. */
export const makeEffectClient = (options: ClientOptions): EffectClient => {
  const client = makeClient(options) as unknown as Readonly<Record<string, Readonly<Record<string, Untyped>>>>
  const groups: Record<string, Record<string, unknown>> = {}
  for (const id of Object.keys(routes)) {
    const [group, name] = id.split(".") as [string, string]
    groups[group] ??= {}
    groups[group][name] = methodOf(client[group]![name]!)
  }
  return groups as unknown as EffectClient
}

export class MillraceClient extends Context.Service<MillraceClient, EffectClient>()("@millrace/client/MillraceClient") {
  static readonly layer = (options: ClientOptions) => Layer.sync(MillraceClient, () => makeEffectClient(options))
}
