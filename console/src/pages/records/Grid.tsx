// A table of many records: only the rows that are seen are drawn, further pages are asked for before they are reached.

import type { AnswerOf } from "@millrace/client"
import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useVirtualizer } from "@tanstack/react-virtual"
import { useEffect, useRef } from "react"
import type { App, Field } from "../../api/types.ts"
import { ShortValue } from "../../ui/values.tsx"
import type { GridSearch } from "./recordQueries.ts"

const ROW = 42
/** Rows before the end at which the next page is asked for. */
const AHEAD = 40

const widths: Partial<Record<Field["field_type"], number>> = {
  number: 120,
  status: 140,
  single_category: 150,
  single_date: 170,
  range_date: 260,
  multi_text: 260,
  unique_id: 90
}

/** A record's first text is its title, which has a column of its own. */
const columnsOf = ({ fields }: App) =>
  fields.filter(
    ({ config, field_type }, index) =>
      !config.always_hidden && field_type !== "unique_id" && !(index === 0 && field_type === "single_text")
  )

interface SortHeadProps {
  readonly name: string
  readonly label: string
  readonly search: GridSearch
  readonly change: (next: GridSearch) => void
}
const SortHead = ({ name, label, search, change }: SortHeadProps) => {
  const sorted = search.sort === name && search.view === undefined
  const next = () => {
    const { sort: _, desc: __, view: ___, ...rest } = search
    if (!sorted) return change({ ...rest, sort: name })
    change(search.desc === true ? rest : { ...rest, sort: name, desc: true })
  }
  return (
    <th scope="col" aria-sort={sorted ? (search.desc === true ? "descending" : "ascending") : "none"}>
      <button type="button" className="sort" onClick={next}>
        {label} <span aria-hidden="true">{sorted ? (search.desc === true ? "↓" : "↑") : ""}</span>
      </button>
    </th>
  )
}

interface GridProps {
  readonly app: App
  readonly query: UseInfiniteQueryResult<InfiniteData<AnswerOf<"listings.ofApp">>>
  readonly search: GridSearch
  readonly change: (next: GridSearch) => void
}
export const Grid = ({ app, query, search, change }: GridProps) => {
  const box = useRef<HTMLElement>(null)
  const rows = query.data?.pages.flatMap(({ records }) => records) ?? []
  const columns = columnsOf(app)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 12
  })
  const shown = virtual.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = query
  useEffect(() => {
    if (last >= rows.length - AHEAD && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [last, rows.length, hasNextPage, isFetchingNextPage, fetchNextPage])
  const asked = JSON.stringify(search)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question begins at its first row
  useEffect(() => void box.current?.scrollTo(0, 0), [asked])
  const before = shown[0]?.start ?? 0
  const after = virtual.getTotalSize() - (shown.at(-1)?.end ?? 0)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section className="gridbox" ref={box} aria-label={`Records of ${app.name}`} tabIndex={0}>
      <table className="records" aria-rowcount={(query.data?.pages[0]?.total ?? 0) + 1}>
        <colgroup>
          <col className="title-column" />
          {columns.map(({ field_id, field_type }) => (
            <col key={field_id} style={{ width: widths[field_type] ?? 190 }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            <SortHead name="title" label={app.item_name} search={search} change={change} />
            {columns.map(({ external_id, field_id, label }) => (
              <SortHead key={field_id} name={external_id} label={label} search={search} change={change} />
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr className="spacer" style={{ height: before }} />}
          {shown.map(({ index, key }) => {
            const row = rows[index]!
            return (
              <tr key={key} aria-rowindex={index + 2} style={{ height: ROW }}>
                <th scope="row">
                  <Link to="/records/$recordId" params={{ recordId: String(row.record_id) }}>
                    {row.title === "" ? `${app.item_name} ${row.app_record_id}` : row.title}
                  </Link>
                </th>
                {columns.map((field) => (
                  <td key={field.field_id} className={field.field_type === "number" ? "number" : undefined}>
                    <div>
                      <ShortValue cell={row.fields.find(({ field_id }) => field_id === field.field_id)} field={field} />
                    </div>
                  </td>
                ))}
              </tr>
            )
          })}
          {after > 0 && <tr className="spacer" style={{ height: after }} />}
        </tbody>
      </table>
    </section>
  )
}
