// The columns of a board: the options of its field, or the people or related records that its records have. Of people who are few all have one.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useMemo, useRef } from "react"
import { users } from "../../../../api/queries.ts"
import type { App, Field } from "../../../../api/types.ts"
import { type GridSearch, groupsOf } from "../../recordQueries.ts"
import { type BoardOption, boardOptions, isOpenEnded, NONE } from "./boardColumns.ts"

/** An organization whose people all have a column. */
const FEW_PEOPLE = 20

export const useBoardOptions = (app: App, field: Field, search: GridSearch) => {
  const isOpen = isOpenEnded(field)
  const ofPeople = field.field_type === "single_user"
  const query = useInfiniteQuery({ ...groupsOf(app.app_id, search, field.field_id, "day"), enabled: isOpen })
  const everybody = useQuery({ ...users, enabled: ofPeople }).data?.users
  // Another page may have asked for them.
  const people = ofPeople ? everybody : undefined
  /** A column stays while the board is open, also when its last card has left it. */
  const seen = useRef(new Map<number, BoardOption>())
  const groups = isOpen ? query.data?.pages[0]?.groups : undefined
  const options = useMemo(() => {
    const fewPeople = people !== undefined && people.length <= FEW_PEOPLE ? people : []
    const current = boardOptions(field, groups, fewPeople)
    if (!isOpen) return current
    for (const option of current) seen.current.set(option.key, option)
    const none = seen.current.get(NONE)!
    return [...[...seen.current.values()].filter(({ key }) => key !== NONE), none]
  }, [field, groups, people, isOpen])
  const total = query.data?.pages[0]?.total ?? 0
  return {
    options,
    /** Number of values that have records and no column. */
    left: isOpen ? Math.max(0, total - (groups?.length ?? 0)) : 0,
    failed: isOpen && query.isError ? query : undefined,
    isLoading: isOpen && query.isPending
  }
}
