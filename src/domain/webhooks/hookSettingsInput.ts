// Input schema of a hook's settings (decisions W11): each member is optional, and omitted ones stay as they are.
import { Schema } from "effect"
import { anything, list, map, sizes, text } from "../../platform/bounds/sized.ts"
import { HEADERS_MOST } from "./customHeaders.ts"
import { HookType, hookTypes } from "./Hook.ts"
import { SetMark } from "./HookSettings.ts"

const DAY_SECONDS = 86_400
const RETRIES_MOST = 20
const TIMEOUT_MOST_MILLIS = 5_000
/** Characters of a certificate chain or a key. */
const PEM_MOST = 16_384

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const value = text(4_096)
const secret = (most: number) =>
  Schema.Union([text(most).check(Schema.isNonEmpty()), SetMark]).annotate({
    description: "Written, never read; `{ set: true }` keeps the stored one, `{ set: false }` is none"
  })

const Authentication = Schema.Union([
  Schema.Struct({ type: Schema.Literal("basic"), username: text(255), password: secret(1_024) }),
  Schema.Struct({ type: Schema.Literal("bearer"), token: secret(4_096) }),
  Schema.Struct({ type: Schema.Literal("oauth2"), authentication_provider_id: Schema.Int }),
  Schema.Struct({ type: Schema.Literal("certificate"), certificate: text(PEM_MOST), key: secret(PEM_MOST) })
]).annotate({ identifier: "HookAuthenticationInput" })

const HeaderSecret = Schema.Struct({ secret: value }).annotate({ identifier: "HookHeaderSecret" })

export const SettingsInput = Schema.Struct({
  description: Schema.optionalKey(text(1_000)),
  paused: Schema.optionalKey(Schema.Boolean.annotate({ description: "Events wait, for seven days at most" })),
  types: Schema.optionalKey(
    list(HookType, hookTypes.length).annotate({
      description: "The events that are sent, the hook's own type among them"
    })
  ),
  filter: Schema.optionalKey(
    Schema.NullOr(anything(sizes.definitionValues).annotate({ identifier: "FilterGroup" })).annotate({
      description:
        "The filter tree of automations, over the record of the event; null sends all. It needs `records:read`, as long as it is there"
    })
  ),
  only_fields: Schema.optionalKey(
    list(Schema.Int, sizes.fields).annotate({
      description: "Of `record.update` only those that change one of these fields; empty for all"
    })
  ),
  headers: Schema.optionalKey(
    map(Schema.Union([value, HeaderSecret, SetMark]), HEADERS_MOST).annotate({
      description:
        "By name: a text, `{ secret: text }` for one that is never read, `{ set: true }` for the stored secret. None of the connection, of proxies, of a session, the body or the signature"
    })
  ),
  authentication: Schema.optionalKey(Schema.NullOr(Authentication)),
  per_minute: Schema.optionalKey(
    Schema.NullOr(between(1, 100_000)).annotate({
      description: "Executions a minute, within the app's; null for no limit"
    })
  ),
  at_once: Schema.optionalKey(
    Schema.NullOr(between(1, 1_000)).annotate({ description: "Executions at the same time; null for no limit" })
  ),
  retry_seconds: Schema.optionalKey(
    Schema.NullOr(list(between(1, DAY_SECONDS), RETRIES_MOST)).annotate({
      description: "Pauses before each retry; empty for none, null for the installation's"
    })
  ),
  timeout_millis: Schema.optionalKey(
    Schema.NullOr(between(100, TIMEOUT_MOST_MILLIS)).annotate({
      description: "Time to answer; null for the installation's"
    })
  ),
  include_record: Schema.optionalKey(
    Schema.Boolean.annotate({
      description:
        "Bodies of record events hold `record`, as it was at the event, as far as whoever saved the hook last may read it: person and credential, which needs `records:read`"
    })
  )
}).annotate({ identifier: "HookSettingsUpdate" })
export type SettingsInput = typeof SettingsInput.Type
