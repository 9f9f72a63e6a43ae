// Names and rows of the webhook actor: one per app, `webhooks/app/<app_id>` (design: actors).
import { Schema } from "effect"
import type { MailboxRow } from "../../engine/actors/ActorKind.ts"
import { sealedColumn } from "../../platform/sealing/SealedColumn.ts"
import { jsonb } from "../../platform/sql/columns.ts"
import type { Bundle } from "./bundles/Bundle.ts"
import type { Sending } from "./HookSettings.ts"
import { VerifyPayload } from "./hookActorCommands.ts"
import { ReaderColumns } from "./hookReadRights.ts"

export const KIND_NAME = "webhooks/app"
export const WORKFLOW_TYPE = "webhooksApp"

/** A secret that was rotated away and signs until its 24 h are over (W7); sealed, in base64. */
export interface FormerSecret {
  readonly secret: string
  readonly until: string
}

/** Data of a hook that every POST to it needs (sendPost.ts). */
export const HookAddress = Schema.Struct({
  hook_id: Schema.Int,
  org_id: Schema.Int,
  url: Schema.String,
  /** Null if the hook has none of these settings. */
  sending: Schema.NullOr(jsonb<Sending>()),
  sealed: Schema.NullOr(jsonb<Readonly<Record<string, string>>>()),
  secret: Schema.Uint8Array,
  former_secrets: jsonb<ReadonlyArray<FormerSecret>>()
})
export type AddressedHook = typeof HookAddress.Type

/** A claimed delivery. */
export const ClaimedDelivery = Schema.Struct({
  hook_id: Schema.Int,
  event_id: Schema.Int,
  record_id: Schema.NullOr(Schema.Int),
  ordered: Schema.Boolean,
  /** Failed attempts since it was queued or replayed. */
  tries: Schema.Int,
  claims: Schema.Int,
  num_attempts: Schema.Int,
  created_on: Schema.Date,
  type: Schema.String,
  payload: Schema.String,
  traceparent: Schema.NullOr(Schema.String)
})
export type ClaimedDelivery = typeof ClaimedDelivery.Type

/** Person whose rights decide what a body with the record contains (W15, W17). */
export const ReadingHook = Schema.Struct({
  ...ReaderColumns,
  /** True if bodies go without the record, as admins have been notified. */
  record_withheld: Schema.Boolean
})

/** The hook that deliveries of a claim go to. */
export type ClaimedHook = AddressedHook & typeof ReadingHook.Type

export interface DeliveryRow extends MailboxRow, ClaimedDelivery {
  readonly hook: ClaimedHook
  readonly row_id: string
  readonly kind: "delivery"
  /** The one that it belongs to; undefined for a row of the queue. */
  readonly bundle?: Bundle
}

/** A claimed step of a verification. */
export const ClaimedCommand = Schema.Struct({
  ...VerifyPayload.fields,
  event_id: Schema.Int,
  claims: Schema.Int
})
type ClaimedCommand = typeof ClaimedCommand.Type
export interface CommandRow extends MailboxRow, ClaimedCommand {
  readonly row_id: string
  readonly kind: "command"
}

export type WorkRow = DeliveryRow | CommandRow

const hooks = { table: "hooks", key: ["hook_id"], binds: ["hook_id"] } as const

/** A hook's secret and the code of its verification, encrypted. */
export const hookSecret = sealedColumn({
  ...hooks,
  column: "secret",
  form: "bytea",
  context: ({ hook_id }) => `hooks/${hook_id}/secret`
})
export const hookCode = sealedColumn({
  ...hooks,
  column: "code",
  form: "bytea",
  context: ({ hook_id }) => `hooks/${hook_id}/code`
})

/** Secrets move here from `secret`, as they are. */
export const hookFormerSecrets = sealedColumn({
  ...hooks,
  column: "former_secrets",
  form: {
    each: (list: ReadonlyArray<FormerSecret>, replace) =>
      list.map((former) => ({ ...former, secret: replace(former.secret) }))
  },
  context: ({ hook_id }) => `hooks/${hook_id}/secret`
})

/** The secret values of a hook's settings, by their names. */
export const hookSealed = sealedColumn({
  ...hooks,
  column: "sealed",
  form: {
    each: (values: Readonly<Record<string, string>>, replace) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, replace(value)]))
  },
  context: ({ hook_id }) => `hooks/${hook_id}/sealed`
})

const sealedColumns = { secret: hookSecret, code: hookCode, sealed: hookSealed }

export const sealContext = (hookId: number, column: keyof typeof sealedColumns) =>
  sealedColumns[column].contextOf({ hook_id: hookId })
