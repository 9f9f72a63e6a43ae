// The audit log in words: what each event says of a person and an app. What has no words yet is shown as it is written.
import type { AnswerOf } from "@millrace/client"

export type AuditEvent = AnswerOf<"audit.list">["events"][number]

/** Kinds to choose, by what stands before the dot of an event. */
export const auditKinds: Readonly<Record<string, string>> = {
  person: "Sign-ins and passwords",
  user: "Members",
  authorize: "Approvals of apps",
  connection: "Connections of apps",
  token: "Refused tokens",
  app_policy: "App policy",
  api_key: "API keys",
  personal_access_token: "Personal access tokens",
  secret: "Secrets",
  hook: "Webhooks",
  automation: "Automations"
}

const said: Readonly<Record<string, string>> = {
  "person.signed_in": "signed in",
  "person.signed_out": "signed out",
  "person.sign_in_refused": "typed a wrong password",
  "person.sign_in_throttled": "was kept from signing in for a while: too many wrong passwords",
  "person.password_set": "has a new password",
  "person.password_link_sent": "was sent a link to set a password",
  "person.erased": "was erased",
  "user.added": "was added to the organization",
  "user.changed": "was given another role or state",
  "user.removed": "was removed from the organization",
  "authorize.approved": "approved an app",
  "authorize.declined": "declined an app",
  "authorize.refused": "was refused to connect an app",
  "connection.created": "connected an app",
  "connection.ended": "is no longer connected to an app",
  "token.refused": "had a token refused",
  "app_policy.mode_set": "set which apps may connect",
  "app_policy.access_set": "set the rule for an app",
  "app_policy.user_blocked": "blocked an app for a person",
  "app_policy.user_unblocked": "lifted the block of an app for a person",
  "api_key.rotated": "has a new API key",
  "personal_access_token.created": "made a token",
  "personal_access_token.revoked": "revoked a token",
  "hook.delivery_replayed": "sent a delivery again",
  "hook.replay_started": "started to send deliveries again",
  "hook.replay_cancelled": "stopped sending deliveries again",
  "secret.created": "kept a secret",
  "secret.replaced": "gave a secret another value",
  "secret.removed": "deleted a secret",
  "automation.owner_changed": "was made the owner of an automation"
}

export const wordsOfEvent = (event: string): string => said[event] ?? event

const detailWords: Readonly<Record<string, string>> = {
  amr: "with",
  admin: "by",
  by: "by",
  blocked_user_id: "person",
  role: "role",
  status: "state",
  access: "rule",
  mode: "apps"
}

const text = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(text).join(", ")
    : typeof value === "string"
      ? value.replaceAll("_", " ")
      : JSON.stringify(value)

/** Details of an event as `word: value`, users by their names. */
export const detailsOf = ({ details }: AuditEvent, nameOf: (userId: number) => string): ReadonlyArray<string> =>
  Object.entries(details)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => {
      const user = (key === "admin" || key === "blocked_user_id") && typeof value === "number"
      return `${detailWords[key] ?? key.replaceAll("_", " ")}: ${user ? nameOf(value) : text(value)}`
    })
