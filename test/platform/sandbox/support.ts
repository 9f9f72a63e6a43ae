// A sandbox for all tests of one file, with the default limits but for the time on the wall, which is the machine's.
import { Effect, Layer, Result } from "effect"
import { asyncLimits, type Limits, syncLimits } from "../../../src/platform/config/sandboxLimits.ts"
import {
  type ApiRequest,
  type AsyncRequest,
  make,
  Sandbox,
  type ScriptHttpRequest
} from "../../../src/platform/sandbox/Sandbox.ts"

export const SandboxTest = Layer.effect(
  Sandbox,
  make({ sync: { ...syncLimits, wallMillis: 20_000 }, async: asyncLimits, syncProcesses: 1, asyncProcesses: 2 })
)

interface Seen {
  readonly http: Array<ScriptHttpRequest>
  readonly api: Array<ApiRequest>
}

/** Callbacks that answer with what they were asked. */
export const outside = () => {
  const requests: Seen = { http: [], api: [] }
  return {
    seen: requests,
    http: (request: ScriptHttpRequest) =>
      Effect.sync(() => {
        requests.http.push(request)
        const status = Number(/\/status\/(\d+)/.exec(request.url)?.[1] ?? 200)
        return { status, headers: { "content-type": "application/json" }, body: Buffer.from(JSON.stringify(request)) }
      }),
    api: (request: ApiRequest) =>
      Effect.sync(() => {
        requests.api.push(request)
        return { status: 200, headers: { "x-request-id": "r" }, data: { path: request.path } }
      })
  }
}

export const sync = (source: string, bindings: Record<string, unknown> = {}, limits: Partial<Limits> = {}) =>
  Effect.flatMap(Sandbox, (sandbox) => sandbox.runSync({ orgId: 1, source, bindings, limits }))

export const block = (source: string, rest: Partial<AsyncRequest> = {}) =>
  Effect.flatMap(Sandbox, (sandbox) => sandbox.runAsync({ orgId: 1, source, bindings: {}, ...outside(), ...rest }))

export const valueOf = (source: string, bindings: Record<string, unknown> = {}) =>
  Effect.map(sync(source, bindings), ({ value }) => value)

/** What a script did, as one comparable value. */
export const verdict = <A, E extends { readonly _tag: string }, R>(run: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.result(run), (r) => (Result.isSuccess(r) ? "ok" : r.failure._tag))
