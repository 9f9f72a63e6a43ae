// Words of the form that the catalogue's schemas have none of: labels, choices and notes by key, or by schema and key where a key means
// something else in another place (docs/console.md). A note of the catalogue is written for the API; one that names keys is not shown.
import { formWords as texts } from "../../../../texts/automations/formWords.ts"

/** Keys that say little as they are. */
const labels: Readonly<Record<string, string>> = texts.labels

const logins = texts.logins

/** Choices that are numbers or abbreviations, or say little as they are. */
const choices: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  algorithm: texts.choices.algorithm,
  cursor_in: texts.choices.cursor_in,
  http_call_body_type: texts.choices.http_call_body_type,
  http_call_type: { get: "GET", post: "POST", put: "PUT", patch: "PATCH", delete: "DELETE" },
  interval_unit: texts.choices.interval_unit,
  nth: texts.choices.nth,
  response_mode: texts.choices.response_mode,
  schedule_type: texts.choices.schedule_type,
  "HttpAuthentication.type": logins,
  "HttpPaging.type": texts.choices["HttpPaging.type"],
  "WebhookVerification.type": {
    ...logins,
    github: "GitHub",
    hmac: texts.choices["WebhookVerification.type"].hmac,
    standard_webhooks: texts.choices["WebhookVerification.type"].standard_webhooks
  }
}

/** Notes in place of the catalogue's; an empty one says that the label is enough. */
const notes: Readonly<Record<string, string>> = texts.notes

/** Words for a choice that is left out, where that means something. */
const unchosen: Readonly<Record<string, string>> = texts.unchosen

/** @param owner name of the schema that the key stands in, if it has one */
const lookUp = <A>(table: Readonly<Record<string, A>>, key: string, owner: string | undefined): A | undefined =>
  table[`${owner}.${key}`] ?? table[key]

export const labelOf = (key: string, owner?: string): string => lookUp(labels, key, owner) ?? wordsOfToken(key)

export const wordsOfChoice = (key: string, token: unknown, owner?: string): string =>
  lookUp(choices, key, owner)?.[String(token)] ?? wordsOfToken(String(token))

export const unchosenOf = (key: string, owner?: string): string | undefined => lookUp(unchosen, key, owner)

export const wordsOfToken = (token: string): string => {
  const words = token.replaceAll("_", " ").trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const noteOf = (key: string, owner: string | undefined, description: string | undefined): string | undefined => {
  const note = lookUp(notes, key, owner) ?? description
  return note === "" ? undefined : note
}
