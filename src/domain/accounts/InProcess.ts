// Calls the Developer API inside the process for a caller who is authenticated already: the same routes, checks, scopes, credits and errors
// as over HTTP (service.md 7.2, developer-api.md 1.5), without a socket and a header with a credential.
import { Context, type Effect } from "effect"
import type { ResolvedCaller } from "./callerFacts.ts"

export interface InProcessCall {
  readonly method: string
  /** Path with its query, from `/v1` on. */
  readonly path: string
  /** Sent as JSON; `undefined` for none. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface InProcessAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The decoded JSON body; `null` when it is empty. */
  readonly body: unknown
}

export class InProcess extends Context.Service<
  InProcess,
  {
    /** @param caller with what was looked up of its rights; what was not is looked up now */
    readonly call: (caller: ResolvedCaller, call: InProcessCall) => Effect.Effect<InProcessAnswer>
  }
>()("millrace/accounts/InProcess") {}
