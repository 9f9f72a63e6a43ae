// Hooks as an import makes them (docs/operations.md): with a secret of their own and inactive until they are verified. What their requests
// carry in secret is not in an export.
import { Result, Schema } from "effect"
import { HookStatus, HookType } from "../../../domain/webhooks/Hook.ts"
import { sealContext } from "../../../domain/webhooks/mailboxRows.ts"
import { newSecret } from "../../../domain/webhooks/signature.ts"
import type { IdBook } from "./IdBook.ts"
import { bytea, count, id, kind, orNull, taken, text, time } from "./ImportKind.ts"
import { importedParts, importedReach, Reach } from "./importedAutomations.ts"

const Sending = Schema.Struct({
  headers: Schema.optionalKey(Schema.Record(Schema.String, orNull(text))),
  authentication: Schema.optionalKey(
    Schema.Struct({
      type: Schema.Literals(["basic", "bearer", "oauth2", "certificate"]),
      username: Schema.optionalKey(text),
      authentication_provider_id: Schema.optionalKey(id),
      certificate: Schema.optionalKey(text)
    })
  ),
  retry_seconds: Schema.optionalKey(Schema.Array(count)),
  timeout_millis: Schema.optionalKey(count),
  include_record: Schema.optionalKey(Schema.Literal(true))
})

/** Leaves out what has a secret part, which the import does not have and the hook could not send. */
const importedSending = (sending: typeof Sending.Type | null, book: IdBook) => {
  if (sending === null) return null
  const { authentication, headers, ...rest } = sending
  const provider = authentication?.authentication_provider_id
  return {
    ...rest,
    ...(headers === undefined
      ? {}
      : { headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== null)) }),
    ...(authentication?.type !== "oauth2" || provider === undefined
      ? {}
      : { authentication: { type: "oauth2", authentication_provider_id: book.to("provider", provider) } })
  }
}

export const importedHooks = {
  hooks: kind({
    row: Schema.Struct({
      ...{ hook_id: id, org_id: id, app_id: id, type: HookType, url: text, host: text, status: HookStatus },
      ...{ num_failed_executions: count, alerted: count, verification: count, code_expires_on: orNull(time) },
      ...{ code_guesses: count, verified_on: orNull(time), lost_on: orNull(time), created_by: id, created_on: time },
      ...{ description: orNull(text), paused_on: orNull(time), types: orNull(Schema.Array(HookType)) },
      ...{ filter: Schema.Unknown, only_fields: orNull(Schema.Array(id)), per_minute: orNull(count) },
      ...{ at_once: orNull(count), sending: orNull(Sending), filter_problem: Schema.optionalKey(orNull(text)) },
      // Not in exports of earlier releases: its creator's, with all that they may do (decisions W17).
      ...{ author_id: Schema.optionalKey(orNull(id)), reach: Schema.optionalKey(orNull(Reach)) }
    }),
    id: ["hook_id", "hook"],
    of: { org_id: "org", app_id: "app" },
    names: { created_by: "user", author_id: "user" },
    change: ({ hook_id, only_fields, url, ...row }, { book, first, secrets, toEnter }) => {
      const address = URL.canParse(url) ? new URL(url) : undefined
      if (address === undefined || !/^https?:$/.test(address.protocol)) return Result.fail("url: is no web address")
      if (first) toEnter.hooks.push({ hook_id, url })
      const { app_id, at_once, created_by, created_on, description, org_id, per_minute, type, types } = row
      return taken({
        ...{ hook_id, org_id, app_id, type, url, host: address.host, created_by, created_on, description, types },
        ...{ per_minute, at_once, author_id: row.author_id ?? null, reach: importedReach(row.reach ?? null, book) },
        filter: importedParts({ trigger: null, filter: row.filter, actions: [] }, book).filter,
        only_fields: only_fields?.map((field) => book.to("field", field)) ?? null,
        sending: importedSending(row.sending, book),
        secret: bytea(secrets.encrypt(newSecret(), sealContext(book.to("hook", hook_id), "secret")))
      })
    }
  })
}
