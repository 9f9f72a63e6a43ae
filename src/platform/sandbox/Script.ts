// Inputs, results and errors of a script (developer-api.md 8).
import { type Effect, Schema } from "effect"
import type { Limits } from "../config/sandboxLimits.ts"
import type { LogLine } from "./protocol.ts"

export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }

const Logs = Schema.Array(
  Schema.Struct({ level: Schema.Literals(["log", "info", "warn", "error"]), message: Schema.String })
)

/** The script threw, does not parse, or its result cannot be stored. `line` and `column` count from 1 in the source as given. */
export class ScriptError extends Schema.TaggedError<ScriptError>()("ScriptError", {
  message: Schema.String,
  line: Schema.NullOr(Schema.Int),
  column: Schema.NullOr(Schema.Int),
  logs: Logs
}) {}

/** CPU time, wall time or memory was used up (developer-api.md 8.3). */
export class ScriptResourceLimit extends Schema.TaggedError<ScriptResourceLimit>()("ScriptResourceLimit", {
  which: Schema.Literals(["cpu", "wall", "memory"]),
  message: Schema.String,
  logs: Logs
}) {}

/** Error of a callback of `http` or `api`; the message reaches the script as a rejected promise. */
export class HostCallError extends Schema.TaggedError<HostCallError>()("HostCallError", { message: Schema.String }) {}

export interface Evaluation {
  readonly value: Json
  /** True when the value was `undefined` (`value` is `null` then): `set_code` leaves the field alone. */
  readonly undefined: boolean
}

export interface ScriptResult extends Evaluation {
  /** The names of `collect` whose value differs from what was bound. */
  readonly vars: { readonly [name: string]: Json }
  readonly logs: ReadonlyArray<LogLine>
  readonly cpuMillis: number
  readonly wallMillis: number
}

export interface SyncRequest {
  /** Organization whose slot and whose process the script takes. */
  readonly orgId: number
  readonly source: string
  /** Global variables of the script, by name; JSON values. */
  readonly bindings: Readonly<Record<string, unknown>>
  /** Variables to read back. */
  readonly collect?: ReadonlyArray<string>
  readonly limits?: Partial<Limits>
}

export interface ManyRequest {
  readonly orgId: number
  readonly source: string
  /** Rows of bindings, one per evaluation, all with the same names. */
  readonly rows: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly limits?: Partial<Limits>
}

const Value = Schema.Unknown as Schema.Codec<Json, unknown>
/** JSON by its own making; whose members are what they should be is not. */
export const ResultText = Schema.fromJsonString(
  Schema.Struct({ value: Value, undefined: Schema.Boolean, vars: Schema.Record(Schema.String, Value) })
)

/** Parameters of a script's call. They are made inside of its realm, where the script may have patched the code that makes them. */
export const HttpCall = Schema.fromJsonString(
  Schema.Struct({
    method: Schema.Literals(["GET", "POST", "PUT", "PATCH", "DELETE"]),
    url: Schema.String,
    headers: Schema.Record(Schema.String, Schema.String),
    body: Schema.NullOr(Schema.String),
    /** True if the body is in base64. */
    bytes: Schema.Boolean,
    binary: Schema.Boolean
  })
)
export const ApiCall = Schema.fromJsonString(
  Schema.Struct({
    method: Schema.String,
    path: Schema.String,
    query: Schema.Record(Schema.String, Schema.String),
    body: Schema.Unknown
  })
)

export interface ScriptHttpRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
}
interface HttpResponse {
  readonly status: number
  /** Names in lower case; a list where lines of a name must not be joined. */
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string>>>
  readonly body: Uint8Array
}
export interface ApiRequest {
  readonly method: string
  /** Below `/v1`, with its slash, without a query. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
  /** 0-based place among the script's `api` calls: with the step's key it identifies a repeat (decisions A1). */
  readonly position: number
}
export interface ApiResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly data: unknown
}

export interface AsyncRequest extends SyncRequest {
  /** Secrets that `secret(name)` returns; their values are in no message of ours. */
  readonly secrets?: Readonly<Record<string, string>>
  /** True in a simulation: only `http.get` reaches `http`, and the caller invents the answers of `api`. */
  readonly simulate?: boolean
  /** The guarded outbound client; resolves for every status. */
  readonly http: (request: ScriptHttpRequest) => Effect.Effect<HttpResponse, HostCallError>
  /** The Developer API as the automation's owner; resolves for every status. */
  readonly api: (request: ApiRequest) => Effect.Effect<ApiResponse, HostCallError>
}
