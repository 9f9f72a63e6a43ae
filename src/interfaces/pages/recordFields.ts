// The entries of a record's fields as people read them (developer-api.md 3.2), one rendering for each kind of data.
import type { DataKind } from "../../domain/records/fields/contract/FieldType.ts"
import type { Field } from "../../domain/records/fields/model/Field.ts"
import { typeOf } from "../../domain/records/fields/registry.ts"
import { sanitizeHtml } from "../../platform/text/clean.ts"
import { webAddress } from "../../platform/text/webAddress.ts"
import { type Content, html, trusted } from "../web/html.ts"
import { tag, time } from "../web/parts.ts"

type Entry = Readonly<Record<string, any>>
type Show = (entry: Entry, field: Field, zone: string) => Content

const utc = (text: string) => new Date(`${text.replace(" ", "T")}Z`)

const moment = (date: string, clock: string | null | undefined, both: string, zone: string) =>
  clock === null || clock === undefined ? html`<time datetime="${date}">${date}</time>` : time(utc(both), zone)

const date: Show = (v, _, zone) => {
  const start = moment(v["start_date_utc"], v["start_time_utc"], v["start_utc"], zone)
  if (v["end_date_utc"] === null || v["end_date_utc"] === undefined) return start
  return html`${start} – ${moment(v["end_date_utc"], v["end_time_utc"], v["end_utc"], zone)}`
}

const number: Show = ({ value }, { settings }) => {
  const text = typeof value === "number" ? value.toFixed(settings.decimals ?? 0) : value
  const unit = settings.unit ?? ""
  if (unit === "") return text
  return settings.unit_location === "prefix" ? `${unit} ${text}` : `${text} ${unit}`
}

/** Colours are attributes of a drawing: the page's policy allows no inline styles. */
const option: Show = ({ value }) =>
  tag(
    "",
    html`<svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="5" fill="#${String(value.color ?? "9AA0A6").replace(/[^0-9A-Fa-f]/g, "")}"/></svg>${value.text}`
  )

const safeHref = (url: unknown): string | undefined =>
  typeof url === "string" && /^https?:\/\//i.test(url) && webAddress(url) !== null ? url : undefined

const link = (url: unknown, text: Content) => {
  const href = safeHref(url)
  return href === undefined ? text : html`<a href="${href}" rel="noopener noreferrer">${text}</a>`
}

const file: Show = ({ value }) =>
  html`${link(value.download_url, value.filename)} <small>${Math.max(1, Math.round(value.size / 1024))} KiB</small>`

/** Renders entries of all other kinds: text, or something with a name. */
const other: Show = (entry) => {
  const value = entry["value"]
  if (typeof value === "string" || typeof value === "number") return value
  return typeof value?.name === "string" ? value.name : typeof value?.title === "string" ? value.title : ""
}

const shows: { readonly [K in DataKind]: Show } = {
  text: ({ value }, field) =>
    typeOf(field).html === true ? html`<div>${trusted(sanitizeHtml(String(value)))}</div>` : html`<bdi>${value}</bdi>`,
  number,
  options: option,
  dates: date,
  records: ({ value }) => html`<a href="/record/${value.record_id}"><bdi>${value.title}</bdi></a>`,
  users: ({ value }) => html`<bdi>${value.name}</bdi>`,
  checklist: ({ title, description, completed, due_at, assignee }) =>
    html`<span role="img" aria-label="${completed ? "done" : "open"}">${completed ? "☑" : "☐"}</span> <bdi>${title}</bdi>${description && html`<br><small>${description}</small>`}${due_at && html`<br><small>Due ${due_at}</small>`}${assignee && html`<br><small>${assignee.name}</small>`}`,
  contacts: ({ value, type }, field) =>
    typeOf(field).scheme === "mailto"
      ? html`<a href="mailto:${encodeURIComponent(value).replace("%40", "@")}">${value}</a> <small>${type}</small>`
      : html`<bdi>${value}</bdi> <small>${type}</small>`,
  links: ({ url, title }) => link(url, title || url),
  location: ({ value }) => html`<bdi>${value}</bdi>`,
  files: file,
  result: other
}

/** `values` of one field, as the API gives them. */
export const showValues = (values: ReadonlyArray<unknown>, field: Field, zone: string): Content => {
  const { kind } = typeOf(field)
  const entries = values.map((entry) => shows[kind](entry as Entry, field, zone))
  if (entries.length === 1 || kind === "options") return entries
  return html`<ul class="plain">${entries.map((entry) => html`<li>${entry}</li>`)}</ul>`
}
