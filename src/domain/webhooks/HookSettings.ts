// Settings of a hook besides the hook record (decisions W11): the shown form, with defaults, and the stored form, in which null is the
// default.
import { Schema } from "effect"
import { jsonb } from "../../platform/sql/columns.ts"
import { HookType } from "./Hook.ts"

/** Tells that a secret value is stored; the value is written and never read. False if it was set for another origin (decisions W18). */
export const SetMark = Schema.Struct({ set: Schema.Boolean }).annotate({ identifier: "SecretSet" })

const ShownAuthentication = Schema.Union([
  Schema.Struct({ type: Schema.Literal("basic"), username: Schema.String, password: SetMark }),
  Schema.Struct({ type: Schema.Literal("bearer"), token: SetMark }),
  Schema.Struct({ type: Schema.Literal("oauth2"), authentication_provider_id: Schema.Int }),
  Schema.Struct({ type: Schema.Literal("certificate"), certificate: Schema.String, key: SetMark })
]).annotate({ identifier: "HookAuthentication" })
type ShownAuthentication = typeof ShownAuthentication.Type

export const HookSettings = Schema.Struct({
  description: Schema.String,
  paused: Schema.Boolean,
  types: Schema.Array(HookType),
  filter: Schema.NullOr(Schema.Unknown.annotate({ identifier: "FilterGroup" })),
  only_fields: Schema.Array(Schema.Int),
  headers: Schema.Record(Schema.String, Schema.Union([Schema.String, SetMark])),
  authentication: Schema.NullOr(ShownAuthentication),
  per_minute: Schema.NullOr(Schema.Int),
  at_once: Schema.NullOr(Schema.Int),
  retry_seconds: Schema.NullOr(Schema.Array(Schema.Int)),
  timeout_millis: Schema.NullOr(Schema.Int),
  include_record: Schema.Boolean
}).annotate({ identifier: "HookSettings" })
export type HookSettings = typeof HookSettings.Type

/** Sealed values in base64 by name: `password`, `token`, `key`, `header x-api-key`. */
export type SealedValues = Readonly<Record<string, string>>

export const headerSecret = (name: string) => `header ${name.toLowerCase()}`

/** Authentication without its secret value, which is stored in the column `sealed`. */
export type StoredAuthentication =
  | { readonly type: "basic"; readonly username: string }
  | { readonly type: "bearer" }
  | { readonly type: "oauth2"; readonly authentication_provider_id: number }
  | { readonly type: "certificate"; readonly certificate: string }

/** Settings for the POSTs of a hook, read with each claimed delivery (`hooks.sending`). */
export interface Sending {
  /** Null: secret. */
  readonly headers?: Readonly<Record<string, string | null>>
  readonly authentication?: StoredAuthentication
  readonly retry_seconds?: ReadonlyArray<number>
  readonly timeout_millis?: number
  readonly include_record?: true
}

export const SettingsRow = Schema.Struct({
  type: HookType,
  description: Schema.NullOr(Schema.String),
  paused_on: Schema.NullOr(Schema.Date),
  types: Schema.NullOr(Schema.Array(HookType)),
  filter: Schema.Unknown,
  only_fields: Schema.NullOr(jsonb<ReadonlyArray<number>>()),
  per_minute: Schema.NullOr(Schema.Int),
  at_once: Schema.NullOr(Schema.Int),
  sending: Schema.NullOr(jsonb<Sending>()),
  sealed: Schema.NullOr(jsonb<Readonly<Record<string, string>>>()),
  filter_problem: Schema.NullOr(Schema.String),
  /** End of the connection that saved the hook last; null if it has not ended. */
  connection_ended_on: Schema.NullOr(Schema.Date)
})
export type SettingsRow = typeof SettingsRow.Type

/** A setting as its column takes it. */
export const jsonOrNull = (value: unknown) => (value === null ? null : JSON.stringify(value))

/** True if the hook is paused only because the connection that saved it last ended: whoever saves it next resumes it (W17). */
export const waitsForSaver = ({ connection_ended_on, paused_on }: SettingsRow) =>
  paused_on !== null && paused_on.getTime() === connection_ended_on?.getTime()

export const readsRecords = ({ filter, sending }: Pick<SettingsRow, "filter" | "sending">) =>
  filter !== null || sending?.include_record === true

const shownAuthentication = (stored: StoredAuthentication, isSet: (name: string) => boolean): ShownAuthentication => {
  const mark = (name: string) => ({ set: isSet(name) })
  switch (stored.type) {
    case "basic":
      return { ...stored, password: mark("password") }
    case "bearer":
      return { ...stored, token: mark("token") }
    case "certificate":
      return { ...stored, key: mark("key") }
    case "oauth2":
      return stored
  }
}

const shownSending = ({ sealed, sending }: Pick<SettingsRow, "sealed" | "sending">) => {
  const isSet = (name: string) => sealed?.[name] !== undefined
  const headers = Object.entries(sending?.headers ?? {})
  return {
    headers: Object.fromEntries(
      headers.map(([name, value]) => [name, value ?? { set: isSet(headerSecret(name)) }] as const)
    ),
    authentication: sending?.authentication === undefined ? null : shownAuthentication(sending.authentication, isSet)
  }
}

export const settingsOf = (row: SettingsRow): HookSettings => ({
  ...shownSending(row),
  description: row.description ?? "",
  paused: row.paused_on !== null,
  types: row.types ?? [row.type],
  filter: row.filter,
  only_fields: row.only_fields ?? [],
  per_minute: row.per_minute,
  at_once: row.at_once,
  retry_seconds: row.sending?.retry_seconds ?? null,
  timeout_millis: row.sending?.timeout_millis ?? null,
  include_record: row.sending?.include_record ?? false
})
