// The values of a record's field as people read them (developer-api.md 3.2): short in a grid, whole on a record's page.
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import type { Author, Cell, Field } from "../api/types.ts"
import { values as texts } from "../texts/ui/ui.ts"
import { numberText } from "./numberText.ts"
import { plainText } from "./plainText.ts"

const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" })
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" })

/** A day is the same everywhere; a moment is shown in the reader's zone. */
const dateText = (date: string, time: string | null, both: string) =>
  time === null ? day.format(new Date(`${date}T00:00:00Z`)) : moment.format(new Date(`${both.replace(" ", "T")}Z`))

export const authorName = (author: Author) => author.name

const Option = ({ text, color }: { readonly text: string; readonly color: string }) => (
  <span className="tag">
    <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
      <circle cx="5" cy="5" r="5" fill={`#${color}`} />
    </svg>
    {text}
  </span>
)

const Outside = ({ href, children }: { readonly href: string; readonly children: ReactNode }) =>
  /^https?:\/\//i.test(href) ? (
    <a href={href} rel="noopener noreferrer" target="_blank">
      {children}
    </a>
  ) : (
    children
  )

const calculatedText = (value: string | number | boolean, field: Field | undefined) =>
  typeof value === "number"
    ? numberText(value, field)
    : typeof value === "boolean"
      ? value
        ? texts.yes
        : texts.no
      : value

/** Each entry of a cell. @param field its definition, which knows of units */
const entriesOf = (cell: Cell, field: Field | undefined): ReadonlyArray<ReactNode> => {
  switch (cell.field_type) {
    case "single_text":
      return cell.values.map(({ value }) => value)
    case "multi_text":
      return cell.values.map(({ value }) => plainText(value))
    case "number":
      return cell.values.map(({ value }) => numberText(value, field))
    case "single_category":
    case "multi_category":
    case "status":
      return cell.values.map(({ value }) => <Option key={value.id} text={value.text} color={value.color} />)
    case "single_date":
    case "created_at":
    case "last_modified_at":
      return cell.values.map((v) => dateText(v.start_date_utc, v.start_time_utc, v.start_utc))
    case "range_date":
      return cell.values.map((v) => {
        const start = dateText(v.start_date_utc, v.start_time_utc, v.start_utc)
        if (v.end_date_utc === null || v.end_utc === null) return start
        return `${start} – ${dateText(v.end_date_utc, v.end_time_utc, v.end_utc)}`
      })
    case "single_relation":
    case "multi_relation":
      return cell.values.map(({ value }) => (
        <Link key={value.record_id} to="/records/$recordId" params={{ recordId: String(value.record_id) }}>
          {value.title}
        </Link>
      ))
    case "single_user":
    case "multi_user":
    case "created_by":
    case "last_modified_by":
      return cell.values.map(({ value }) => authorName(value))
    case "checklist":
      return cell.values.map(({ completed, id, title }) => (
        <span key={id}>
          <span role="img" aria-label={completed ? texts.done : texts.open}>
            {completed ? "☑" : "☐"}
          </span>{" "}
          {title}
        </span>
      ))
    case "multi_email":
    case "multi_phone":
      return cell.values.map(({ value }) => value)
    case "multi_link":
      return cell.values.map(({ embed_id, title, url }) => (
        <Outside key={embed_id} href={url}>
          {title || url}
        </Outside>
      ))
    case "single_location":
      return cell.values.map(({ value }) => value)
    case "single_attachment":
    case "multi_attachment":
    case "multi_image":
      return cell.values.map(({ value }) => (
        <Outside key={value.id} href={value.download_url}>
          {value.filename}
        </Outside>
      ))
    case "calculation":
      return cell.values.map((entry) =>
        "value" in entry
          ? calculatedText(entry.value, field)
          : dateText(entry.start_date_utc, entry.start_time_utc, entry.start_utc)
      )
  }
}

interface ValueProps {
  readonly cell: Cell | undefined
  readonly field: Field | undefined
}

/** Value in one line of a grid. */
export const ShortValue = ({ cell, field }: ValueProps) => {
  if (cell === undefined) return null
  return entriesOf(cell, field).map((entry, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: entries have no other name, and are drawn anew as a whole
    <span className="entry" key={index}>
      {entry}
    </span>
  ))
}

export const WholeValue = ({ cell, field }: ValueProps) => {
  const entries = cell === undefined ? [] : entriesOf(cell, field)
  if (entries.length === 0) return <span className="muted">{texts.empty}</span>
  if (entries.length === 1) return <span className="said">{entries[0]}</span>
  return (
    <ul className="plain">
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no other name, and are drawn anew as a whole
        <li key={index}>{entry}</li>
      ))}
    </ul>
  )
}
