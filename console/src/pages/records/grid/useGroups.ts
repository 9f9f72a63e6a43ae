// The groups of a grid with the number of records of each, as the API lists them; the first block of a group's records is asked for once it is
// open.
import { useInfiniteQuery, useQueries } from "@tanstack/react-query"
import { useCallback, useMemo, useState } from "react"
import type { App } from "../../../api/types.ts"
import { type GridSearch, groupsOf } from "../recordQueries.ts"
import { asGroup, type Group, isGroupable, isMore, moreGroups, spansOf } from "./groups.ts"
import type { GroupUnit } from "./look.ts"
import { blockOf } from "./useRows.ts"

/** Groups that begin open. */
const OPEN = 10

/** Which groups somebody has opened or closed, by grid, until the page is reloaded. */
const togglesByGrid = new Map<string, ReadonlyMap<string, boolean>>()

/** The listing of a group's records. */
export const searchOfGroup = ({ desc, filters, sort, title }: GridSearch, { filter }: Group): GridSearch => ({
  filters: [...(filters ?? []), filter],
  ...(sort === undefined ? {} : { sort, ...(desc === true ? { desc } : {}) }),
  ...(title === undefined ? {} : { title })
})

/** The groups by a field of the app, those that are listed so far; undefined until they are known, or where the field is gone. */
export const useGroupList = (app: App, search: GridSearch, groupBy: number, unit: GroupUnit) => {
  const field = app.fields.find(({ field_id }) => field_id === groupBy)
  const isKnown = field !== undefined && isGroupable(field)
  const query = useInfiniteQuery({ ...groupsOf(app.app_id, search, groupBy, unit), enabled: isKnown })
  const { data, fetchNextPage } = query
  const list = useMemo((): ReadonlyArray<Group> | undefined => {
    if (!isKnown || data === undefined) return undefined
    const groups = data.pages.flatMap((page) => page.groups.map((one) => asGroup(field, unit, one)))
    const total = data.pages[0]?.total ?? 0
    return data.pages.at(-1)?.cursor == null ? groups : [...groups, moreGroups(total - groups.length)]
  }, [isKnown, field, unit, data])
  const showMore = useCallback(() => void fetchNextPage(), [fetchNextPage])
  return { list, showMore, query }
}

/** @param gridKey under which it is remembered what was opened and closed */
export const useGroups = (
  appId: number,
  search: GridSearch,
  { list: groups, showMore }: { readonly list: ReadonlyArray<Group>; readonly showMore: () => void },
  gridKey: string
) => {
  const [toggles, setToggles] = useState(() => togglesByGrid.get(gridKey) ?? new Map<string, boolean>())
  const groupQueries = groups.map((group, index) => ({
    group,
    block: blockOf(appId, searchOfGroup(search, group), 0, {}),
    isOpen: !isMore(group) && (toggles.get(group.key) ?? index < OPEN)
  }))
  const heads = useQueries({ queries: groupQueries.map(({ block, isOpen }) => ({ ...block, enabled: isOpen })) })
  const spans = spansOf(
    groupQueries.map(({ group, isOpen }, index) => ({
      group,
      isOpen,
      // The records of an open group are newer than the list of groups.
      total: (isOpen ? heads[index]!.data?.total : undefined) ?? group.count
    }))
  )
  const toggle = (key: string, isOpen: boolean) => {
    if (groups.some((group) => group.key === key && isMore(group))) return showMore()
    const next = new Map(toggles).set(key, isOpen)
    togglesByGrid.set(gridKey, next)
    setToggles(next)
  }
  const headOf = new Map(groups.map(({ key }, index) => [key, heads[index]!]))
  return { spans, headOf, toggle }
}
