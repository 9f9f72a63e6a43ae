// The audit log in words: what each event says of a person and an app, and what else is known of it.
import { auditSentences } from "./auditSentences.ts"

/** Kinds to choose, by what stands before the dot of an event. */
export const auditKinds: Readonly<Record<string, string>> = {
  person: "Sign-ins, passwords and second steps",
  organization: "The organization and its rules",
  user: "Members",
  workspace: "Workspaces and their members",
  app: "Apps",
  field: "Fields of apps",
  record: "Records deleted for good",
  authorize: "Approvals of apps",
  connection: "Connections of apps",
  token: "Refused tokens",
  access_token: "Tokens that apps gave back",
  app_policy: "App policy",
  api_key: "API keys",
  personal_access_token: "Personal access tokens",
  secret: "Secrets",
  smtp_account: "Mail accounts",
  authentication_provider: "Authentication providers",
  hook: "Webhooks",
  automation: "Automations",
  job: "Jobs"
}

/** Words for the credential by which something was done. */
export const credentialWords: Readonly<Record<string, string>> = {
  user_api_key: "their API key",
  personal_access_token: "a personal access token",
  oauth_access_token: "an app's access token",
  session: "a signed-in browser",
  automation: "an automation",
  operator: "the operator's command line"
}

export const wordsOfEvent = (event: string): string => auditSentences[event] ?? event

const detailWords: Readonly<Record<string, string>> = {
  amr: "with",
  admin: "by",
  by: "by",
  blocked_user_id: "person",
  role: "role",
  status: "state",
  access: "rule",
  mode: "apps",
  kind: "which",
  method: "with",
  why: "because it was",
  codes: "how many",
  left: "left",
  last: "the last one",
  factors: "how many",
  required: "needed",
  from: "from",
  former_role: "role before",
  members: "what",
  changed: "what"
}

/** Words for methods of sign-in and second steps (RFC 8176, and the service's own). */
const valueWords: Readonly<Record<string, string>> = {
  pwd: "password",
  otp: "code of an app",
  pop: "passkey",
  mfa: "second step",
  totp: "authenticator app",
  passkey: "passkey",
  recovery_code: "recovery code",
  cloned: "a copy of the passkey"
}

const text = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(text).join(", ")
    : typeof value === "boolean"
      ? value
        ? "yes"
        : "no"
      : typeof value === "string"
        ? (valueWords[value] ?? value.replaceAll("_", " "))
        : JSON.stringify(value)

/** Details of an event as `word: value`, users by their names. */
export const detailsOf = (
  { details }: { readonly details: Readonly<Record<string, unknown>> },
  nameOf: (userId: number) => string
): ReadonlyArray<string> =>
  Object.entries(details)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => {
      const user = (key === "admin" || key === "blocked_user_id") && typeof value === "number"
      return `${detailWords[key] ?? key.replaceAll("_", " ")}: ${user ? nameOf(value) : text(value)}`
    })
