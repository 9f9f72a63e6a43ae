// Names and rows of the webhook actor: one per app, `webhooks/app/<app_id>` (design: actors).
import type { MailboxRow } from "../../engine/actors/ActorKind.ts"
import { sealedColumn } from "../../ground/sealing/SealedColumn.ts"

export const KIND_NAME = "webhooks/app"
export const WORKFLOW_TYPE = "webhooksApp"

/** A secret that was rotated away and signs until its 24 h are over (W7); sealed, in base64. */
export interface FormerSecret {
  readonly secret: string
  readonly until: string
}

/** A claimed delivery with everything that its POST needs. */
export interface DeliveryRow extends MailboxRow {
  readonly row_id: string
  readonly kind: "delivery"
  readonly hook_id: number
  readonly event_id: number
  readonly record_id: number | null
  readonly ordered: boolean
  /** Failed attempts since it was queued or replayed. */
  readonly tries: number
  readonly num_attempts: number
  readonly payload: string
  readonly url: string
  readonly secret: Uint8Array
  readonly former_secrets: ReadonlyArray<FormerSecret>
}

/** A claimed step of a verification. */
export interface CommandRow extends MailboxRow {
  readonly row_id: string
  readonly kind: "command"
  readonly event_id: number
  readonly hook_id: number
  readonly verification: number
  readonly step: "requested" | "validated" | "deleted"
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

export const sealContext = (hookId: number, column: "secret" | "code") =>
  (column === "secret" ? hookSecret : hookCode).contextOf({ hook_id: hookId })
