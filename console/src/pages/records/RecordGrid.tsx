// The grid of an app's records as the address filters and sorts them; it begins where its reader left it.
import { type ReactNode, useCallback, useMemo, useState } from "react"
import type { App } from "../../api/types.ts"
import { Failure } from "../../ui/states.tsx"
import { columnsOf, titleFieldOf } from "./grid/columns.ts"
import { Grid } from "./grid/Grid.tsx"
import { gridPlace, keepGridPlace } from "./grid/gridPlace.ts"
import { columnsOfLook, type Look, rowHeights } from "./grid/look.ts"
import type { Selection } from "./grid/selection.ts"
import { type useHead, useRows } from "./grid/useRows.ts"
import { useWindow } from "./grid/useWindow.ts"
import { useIsNarrow } from "./layouts/useIsNarrow.ts"
import type { GridSearch } from "./recordQueries.ts"
import "./grid/sheet.css"

export interface RecordGridProps {
  readonly app: App
  readonly head: ReturnType<typeof useHead>
  readonly placeKey: string
  readonly look: Look
  readonly changeLook: (look: Partial<Look>) => void
  readonly search: GridSearch
  readonly change: (next: GridSearch) => void
  readonly filterBy: (fieldId: number) => void
  readonly open: (recordId: number) => void
  /** What is said where there is no record. */
  readonly children: ReactNode
}

export const RecordGrid = (props: RecordGridProps) => {
  const { app, change, changeLook, filterBy, head, look, open, placeKey, search } = props
  const [kept] = useState(() => gridPlace(placeKey))
  const rowWindow = useWindow(head.data?.total ?? 0, rowHeights[look.rowHeight], kept.place)
  const rows = useRows(app.app_id, search, head, rowWindow.first, rowWindow.last)
  const isNarrow = useIsNarrow()
  const columns = useMemo(() => {
    const title = titleFieldOf(app)
    return columnsOfLook({ title, titleLabel: title?.label ?? app.item_name, fields: columnsOf(app) }, look, isNarrow)
  }, [app, look, isNarrow])
  const { place } = rowWindow
  const keep = useCallback((selection: Selection) => keepGridPlace(placeKey, { place, selection }), [placeKey, place])
  return (
    <>
      {rows.failed !== undefined && (
        <Failure what="Loading records failed." error={rows.failed.error} again={() => void rows.failed?.refetch()} />
      )}
      {props.children}
      <Grid
        app={app}
        rows={rows}
        seen={rowWindow}
        columns={columns}
        look={look}
        changeLook={changeLook}
        search={search}
        change={change}
        kept={kept.selection}
        keep={keep}
        filterBy={filterBy}
        open={open}
      />
    </>
  )
}
