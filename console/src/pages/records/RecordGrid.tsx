// The grid of an app's records as the address filters and sorts them; it begins where its reader left it.
import { type ReactNode, useCallback, useMemo, useRef, useState } from "react"
import type { App } from "../../api/types.ts"
import { Failure } from "../../ui/states.tsx"
import { columnsOf, titleFieldOf } from "./grid/columns.ts"
import { Grid } from "./grid/Grid.tsx"
import { gridPlace, keepGridPlace } from "./grid/gridPlace.ts"
import type { Group } from "./grid/groups.ts"
import { columnsOfLook, type Look } from "./grid/look.ts"
import type { Selection } from "./grid/selection.ts"
import type { GridProps } from "./grid/useGrid.ts"
import { useGroupedRows } from "./grid/useGroupedRows.ts"
import { useGroupList, useGroups } from "./grid/useGroups.ts"
import { useRowHeight } from "./grid/useRowHeight.ts"
import { type useHead, useRows } from "./grid/useRows.ts"
import { useWindow } from "./grid/useWindow.ts"
import { useIsNarrow } from "./layouts/useIsNarrow.ts"
import type { GridSearch } from "./recordQueries.ts"
import "./grid/sheet.css"
import { recordGrid as texts } from "../../texts/records/records.ts"

export interface RecordGridProps {
  readonly app: App
  readonly head: ReturnType<typeof useHead>
  readonly placeKey: string
  readonly look: Look
  readonly changeLook: (look: Partial<Look>) => void
  /** Search of the address. */
  readonly search: GridSearch
  /** The search with the conditions and the order of its view. */
  readonly fullSearch: GridSearch
  readonly change: (next: GridSearch) => void
  readonly filterBy: (fieldId: number) => void
  readonly open: (recordId: number) => void
  /** Message where there is no record. */
  readonly children: ReactNode
}

/** All records as one list. */
const FlatGrid = (props: RecordGridProps) => {
  const { app, head, look, placeKey, search } = props
  const [kept] = useState(() => gridPlace(placeKey))
  const rowWindow = useWindow(head.data?.total ?? 0, useRowHeight(look.rowHeight), kept.place)
  const rows = useRows(app.app_id, search, head, rowWindow.first, rowWindow.last)
  return <GridFrame {...props} rows={rows} seen={rowWindow} kept={kept.selection} />
}

interface GroupedProps extends RecordGridProps {
  readonly list: ReadonlyArray<Group>
  readonly showMore: () => void
}
const GroupedGrid = (props: GroupedProps) => {
  const { app, look, placeKey, fullSearch } = props
  const [kept] = useState(() => gridPlace(placeKey))
  const groups = useGroups(app.app_id, fullSearch, props, `${placeKey} ${look.groupBy} ${look.groupUnit}`)
  const lines = groups.spans.reduce((sum, { count }) => sum + count + 1, 0)
  const rowWindow = useWindow(lines, useRowHeight(look.rowHeight), kept.place)
  const rows = useGroupedRows(app.app_id, fullSearch, groups, rowWindow.first, rowWindow.last)
  const latest = useRef(rows)
  latest.current = rows
  const { show: showLine } = rowWindow
  const show = useCallback((row: number) => showLine(latest.current.lineOf(row)), [showLine])
  return (
    <GridFrame {...props} rows={rows} seen={{ ...rowWindow, show }} kept={kept.selection} toggleGroup={groups.toggle} />
  )
}

/** Grouped as the look says, once the groups are known. */
const ByGroup = (props: RecordGridProps & { readonly groupBy: number }) => {
  const { app, fullSearch, groupBy, look } = props
  const { list, query, showMore } = useGroupList(app, fullSearch, groupBy, look.groupUnit)
  const failure = query.isError && (
    <Failure what={texts.recordsWereNotGrouped} error={query.error} again={() => void query.refetch()} />
  )
  const children = (
    <>
      {failure}
      {props.children}
    </>
  )
  return list === undefined ? (
    <FlatGrid {...props}>{children}</FlatGrid>
  ) : (
    <GroupedGrid {...props} list={list} showMore={showMore}>
      {children}
    </GroupedGrid>
  )
}

export const RecordGrid = (props: RecordGridProps) => {
  const { groupBy, groupUnit } = props.look
  // The groups of another field are no placeholder for those of this one.
  return groupBy === null ? (
    <FlatGrid {...props} />
  ) : (
    <ByGroup key={`${groupBy} ${groupUnit}`} {...props} groupBy={groupBy} />
  )
}

type FrameProps = RecordGridProps & Pick<GridProps, "rows" | "seen" | "kept" | "toggleGroup">
const GridFrame = (props: FrameProps) => {
  const { app, change, changeLook, filterBy, kept, look, open, placeKey, rows, seen, fullSearch } = props
  const isNarrow = useIsNarrow()
  const columns = useMemo(() => {
    const title = titleFieldOf(app)
    return columnsOfLook({ title, titleLabel: title?.label ?? app.item_name, fields: columnsOf(app) }, look, isNarrow)
  }, [app, look, isNarrow])
  const { place } = seen
  const keep = useCallback((selection: Selection) => keepGridPlace(placeKey, { place, selection }), [placeKey, place])
  return (
    <>
      {rows.failed !== undefined && (
        <Failure
          what={texts.loadingRecordsFailed}
          error={rows.failed.error}
          again={() => void rows.failed?.refetch()}
        />
      )}
      {props.children}
      <Grid
        app={app}
        rows={rows}
        seen={seen}
        columns={columns}
        look={look}
        changeLook={changeLook}
        search={fullSearch}
        change={change}
        kept={kept}
        {...(props.toggleGroup && { toggleGroup: props.toggleGroup })}
        keep={keep}
        filterBy={filterBy}
        open={open}
      />
    </>
  )
}
