// The groups of a grid with the number of records of each: asked for by its first block of records, for the first groups of a list at once, for
// others when they are opened.
import { useQueries, useQuery, useQueryClient } from "@tanstack/react-query"
import { useMemo, useState } from "react"
import { users } from "../../../api/queries.ts"
import type { App } from "../../../api/types.ts"
import type { GridSearch } from "../recordQueries.ts"
import { type Group, groupsOf, holdsPeople, isGroupable, spansOf } from "./groups.ts"
import { blockOf } from "./useRows.ts"

/** Groups that begin open. */
const OPEN = 10
/** Groups that are asked for until so many have a record. */
const ASKED = 30

/** Which groups somebody has opened or closed, by grid, until the page is reloaded. */
const togglesByGrid = new Map<string, ReadonlyMap<string, boolean>>()

/** The listing of a group's records. */
export const searchOfGroup = ({ desc, filters, sort, title }: GridSearch, { filter }: Group): GridSearch => ({
  filters: [...(filters ?? []), filter],
  ...(sort === undefined ? {} : { sort, ...(desc === true ? { desc } : {}) }),
  ...(title === undefined ? {} : { title })
})

/** The groups by a field of the app; undefined until they are known, or where the field is gone. */
export const useGroupList = (app: App, groupBy: number): ReadonlyArray<Group> | undefined => {
  const field = app.fields.find(({ field_id }) => field_id === groupBy)
  const ofPeople = field !== undefined && holdsPeople(field)
  const { data } = useQuery({ ...users, enabled: ofPeople })
  return useMemo(
    () =>
      field === undefined || !isGroupable(field) || (ofPeople && data === undefined)
        ? undefined
        : groupsOf(field, data?.users ?? []),
    [field, ofPeople, data]
  )
}

/** @param gridKey under which it is remembered what was opened and closed */
export const useGroups = (appId: number, search: GridSearch, groups: ReadonlyArray<Group>, gridKey: string) => {
  const queries = useQueryClient()
  const [toggles, setToggles] = useState(() => togglesByGrid.get(gridKey) ?? new Map<string, boolean>())
  let openCount = 0
  const groupQueries = groups.map((group, index) => {
    const block = blockOf(appId, searchOfGroup(search, group), 0, {})
    const isAuto = index < ASKED && openCount < OPEN
    if (isAuto && queries.getQueryData(block.queryKey)?.total !== 0) openCount += 1
    return { group, block, isOpen: toggles.get(group.key) ?? isAuto, isAuto }
  })
  const heads = useQueries({
    queries: groupQueries.map(({ block, isAuto, isOpen }) => ({ ...block, enabled: isAuto || isOpen }))
  })
  const spans = spansOf(
    groupQueries.map(({ group, isOpen }, index) => ({ group, isOpen, total: heads[index]!.data?.total ?? undefined }))
  )
  const toggle = (key: string, isOpen: boolean) => {
    const next = new Map(toggles).set(key, isOpen)
    togglesByGrid.set(gridKey, next)
    setToggles(next)
  }
  const headOf = new Map(groups.map(({ key }, index) => [key, heads[index]!]))
  return { spans, headOf, toggle }
}
