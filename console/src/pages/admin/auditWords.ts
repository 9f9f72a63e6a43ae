// The audit log in words: what each event says of a person and an app, and what else is known of it.

import { auditWords as texts } from "../../texts/admin/auditWords.ts"
import { auditSentences } from "./auditSentences.ts"

/** Kinds to choose, by what stands before the dot of an event. */
export const auditKinds: Readonly<Record<string, string>> = texts.auditKinds

/** Words for the credential by which something was done. */
export const credentialWords: Readonly<Record<string, string>> = texts.credentialWords

/** Names of whom and what entries refer to by numbers. */
export interface AuditNames {
  readonly user: (id: number) => string
  readonly app: (id: number) => string | undefined
  readonly workspace: (id: number) => string | undefined
}

interface Told {
  readonly event: string
  readonly client_id: string | null
  readonly client_name: string | null
  readonly details: Readonly<Record<string, unknown>>
}

/** Tells what happened, behind the name of whom it concerns: what it was done to, for whom, and by which admin. */
export const sentenceOf = ({ client_id, client_name, details, event }: Told, names: AuditNames): string => {
  const { admin, blocked_user_id, name } = details
  const object = client_name ?? client_id ?? (typeof name === "string" ? name : undefined)
  return [
    auditSentences[event] ?? event,
    object === undefined ? "" : `: ${object}`,
    typeof blocked_user_id === "number" ? texts.forUser(names.user(blocked_user_id)) : "",
    typeof admin === "number" ? texts.byUser(names.user(admin)) : ""
  ].join("")
}

const detailWords: Readonly<Record<string, string>> = texts.detailWords

/** Words for methods of sign-in and second steps (RFC 8176, and the service's own). */
const valueWords: Readonly<Record<string, string>> = texts.valueWords

const text = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(text).join(", ")
    : typeof value === "boolean"
      ? value
        ? texts.yes
        : texts.no
      : typeof value === "string"
        ? (valueWords[value] ?? value.replaceAll("_", " "))
        : JSON.stringify(value)

const namesById = {
  app_id: "app",
  workspace_id: "workspace",
  owner: "user",
  former_owner: "user"
} as const satisfies Readonly<Record<string, keyof AuditNames>>
const isNamed = (key: string): key is keyof typeof namesById => Object.hasOwn(namesById, key)

/** Details that the sentence tells. */
const isInSentence = (key: string, value: unknown, { client_id, details }: Omit<Told, "event" | "client_name">) =>
  key === "admin" || key === "blocked_user_id"
    ? typeof value === "number"
    : key === "name"
      ? client_id === null && typeof value === "string"
      : key === "by" && value === "admin" && typeof details["admin"] === "number"

/** Details of an event beside its sentence as `word: value`, with names for numbers. */
export const detailsOf = (event: Omit<Told, "event" | "client_name">, names: AuditNames): ReadonlyArray<string> =>
  Object.entries(event.details)
    .filter(([key, value]) => value !== null && !isInSentence(key, value, event))
    .flatMap(([key, value]) => {
      const isId = isNamed(key) && typeof value === "number"
      const name = isId ? (names[namesById[key]](value) ?? texts.noValue(value)) : text(value)
      // A thing that the sentence names is not named again.
      return isId && name === event.details["name"] ? [] : [`${detailWords[key] ?? key.replaceAll("_", " ")}: ${name}`]
    })
