// The entries of a record's fields as people read them (developer-api.md 3.2), one rendering per coarse kind of data.
import type { Field } from "../../domain/records/fields/model/Field.ts"
import { sanitizeHtml } from "../../ground/text/clean.ts"
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
  typeof url === "string" && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined

const link = (url: unknown, text: Content) => {
  const href = safeHref(url)
  return href === undefined ? text : html`<a href="${href}" rel="noopener noreferrer">${text}</a>`
}

const file: Show = ({ value }) =>
  html`${link(value.download_url, value.filename)} <small>${Math.max(1, Math.round(value.size / 1024))} KiB</small>`

const shows: Record<string, Show> = {
  text: ({ value }, { field_type }) =>
    field_type === "multi_text" ? html`<div>${trusted(sanitizeHtml(String(value)))}</div>` : html`<bdi>${value}</bdi>`,
  number,
  category: option,
  status: option,
  date,
  relation: ({ value }) => html`<a href="/record/${value.record_id}"><bdi>${value.title}</bdi></a>`,
  user: ({ value }) => html`<bdi>${value.name}</bdi>`,
  checklist: ({ title, description, completed, due_at, assignee }) =>
    html`<span role="img" aria-label="${completed ? "done" : "open"}">${completed ? "☑" : "☐"}</span> <bdi>${title}</bdi>${description && html`<br><small>${description}</small>`}${due_at && html`<br><small>Due ${due_at}</small>`}${assignee && html`<br><small>${assignee.name}</small>`}`,
  email: ({ value, type }) =>
    html`<a href="mailto:${encodeURIComponent(value).replace("%40", "@")}">${value}</a> <small>${type}</small>`,
  phone: ({ value, type }) => html`<bdi>${value}</bdi> <small>${type}</small>`,
  link: ({ url, title }) => link(url, title || url),
  location: ({ value }) => html`<bdi>${value}</bdi>`,
  attachment: file,
  image: file
}

const other: Show = (entry) => {
  const value = entry["value"]
  if (typeof value === "string" || typeof value === "number") return value
  return typeof value?.name === "string" ? value.name : typeof value?.title === "string" ? value.title : ""
}

/** `values` of one field, as the API gives them. */
export const showValues = (type: string, values: ReadonlyArray<unknown>, field: Field, zone: string): Content => {
  const show = shows[type] ?? other
  const entries = values.map((entry) => show(entry as Entry, field, zone))
  if (entries.length === 1 || type === "category" || type === "status") return entries
  return html`<ul class="plain">${entries.map((entry) => html`<li>${entry}</li>`)}</ul>`
}
