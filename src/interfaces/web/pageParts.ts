// Small pieces that pages share: names, times, form fields, notes.

import { showable } from "../../domain/oauth/clients/clientNames.ts"
import { BoundedMap } from "../../platform/primitives/BoundedMap.ts"
import { type Content, type Html, html } from "./html.ts"
import { parts as texts } from "./texts.ts"

export const hiddenField = (field: string, value: string | number): Html =>
  html`<input type="hidden" name="${field}" value="${value}">`

/** A name that somebody chose: no control or bidirectional characters, isolated from the text round it (decisions O8). */
export const name = (text: string): Html => html`<bdi>${plainName(text)}</bdi>`

/** Name as plain text, for places where no element may stand: attributes, titles, options. */
export const plainName = (text: string): string => showable(text) || texts.noName

/** A zone may be written in capitals or not: more than there are zones. */
const formats = new BoundedMap<string, Intl.DateTimeFormat>(1_000)
const formatIn = (zone: string): Intl.DateTimeFormat => {
  const cachedFormat = formats.get(zone)
  if (cachedFormat !== undefined) return cachedFormat
  const parts = { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" } as const
  const make = (timeZone: string) => new Intl.DateTimeFormat("en-GB", { ...parts, timeZone, timeZoneName: "short" })
  let newFormat: Intl.DateTimeFormat
  try {
    newFormat = make(zone)
  } catch {
    newFormat = make("UTC")
  }
  formats.set(zone, newFormat)
  return newFormat
}

/** Formats a time in the reader's zone (developer-api.md 1.3). */
export const time = (at: Date, zone: string): Html =>
  html`<time datetime="${at.toISOString()}">${formatIn(zone).format(at)}</time>`

export const timeOr = (at: Date | null, zone: string, otherwise: string): Html =>
  at === null ? html`${otherwise}` : time(at, zone)

/** Read out at once by screen readers: `bad` interrupts. */
export const note = (kind: "good" | "warn" | "bad", text: Content): Html =>
  html`<div class="note ${kind}" role="${kind === "bad" ? "alert" : "status"}"><p>${text}</p></div>`

/** A step that cannot be taken back asks once more, without a script. */
export const confirm = (summary: Content, question: Content, form: Content): Html =>
  html`<details class="confirm"><summary>${summary}</summary><p>${question}</p>${form}</details>`

export interface FormField {
  readonly name: string
  readonly label: string
  readonly type: "text" | "email" | "password"
  readonly autocomplete?: string
  readonly value?: string
  readonly hint?: string
  /** Digits alone: the keyboard of a phone shows them. */
  readonly numeric?: true
  readonly min?: number
  readonly max?: number
}

export const field = ({
  name: n,
  label,
  type,
  autocomplete = "off",
  value,
  hint,
  numeric,
  min,
  max
}: FormField): Html =>
  html`<div class="field"><label for="${n}">${label}</label>
<input id="${n}" name="${n}" type="${type}" autocomplete="${autocomplete}" required${value !== undefined && html` value="${value}"`}${numeric && html` inputmode="numeric"`}${min !== undefined && html` minlength="${min}"`}${max !== undefined && html` maxlength="${max}"`}${hint !== undefined && html` aria-describedby="${n}-hint"`}>${hint !== undefined && html`<small id="${n}-hint">${hint}</small>`}</div>`

export const tag = (kind: "" | "good" | "warn" | "bad", text: Content): Html =>
  html`<span class="tag ${kind}">${text}</span>`
