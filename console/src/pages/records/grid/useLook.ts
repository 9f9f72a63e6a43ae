// The look of a grid: that of its view, or the plain one, with the changes that this browser keeps until they are saved or discarded.
import { useCallback, useMemo, useState } from "react"
import type { View } from "../../../api/types.ts"
import { clampWidth, groupUnits, type Look, plainLook, rowHeights } from "./look.ts"
import { lookOfView } from "./viewLook.ts"

const keyOf = (appId: number, view: number | undefined) => `millrace grid ${appId} ${view ?? "all"}`

const idsOf = (value: unknown): ReadonlyArray<number> | undefined =>
  Array.isArray(value) ? value.filter((id) => Number.isSafeInteger(id)) : undefined

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0

/** Reads what is kept; what does not fit is left out. */
const readChanges = (key: string): Partial<Look> => {
  let kept: any
  try {
    kept = JSON.parse(localStorage.getItem(key) ?? "{}") ?? {}
  } catch {
    return {}
  }
  const order = idsOf(kept.order)
  const hiddenIds = idsOf(kept.hidden)
  const widths = Object.entries(kept.widths ?? {}).flatMap(([id, width]) =>
    Number.isFinite(width) ? [[id, clampWidth(Number(width))] as const] : []
  )
  return {
    ...(order === undefined ? {} : { order }),
    ...(hiddenIds === undefined ? {} : { hidden: hiddenIds }),
    ...(kept.widths === undefined ? {} : { widths: Object.fromEntries(widths) }),
    ...(isId(kept.frozen) ? { frozen: kept.frozen } : {}),
    ...(Object.hasOwn(rowHeights, kept.rowHeight) ? { rowHeight: kept.rowHeight } : {}),
    ...(Object.hasOwn(groupUnits, kept.groupUnit) ? { groupUnit: kept.groupUnit } : {}),
    ...(kept.groupBy === null || isId(kept.groupBy) ? { groupBy: kept.groupBy } : {})
  }
}

export const useLook = (appId: number, view: View | undefined) => {
  const key = keyOf(appId, view?.view_id)
  const [kept, setKept] = useState(() => ({ key, changes: readChanges(key) }))
  const changes = kept.key === key ? kept.changes : readChanges(key)
  if (kept.key !== key) setKept({ key, changes })
  const base = useMemo(() => (view === undefined ? plainLook : lookOfView(view)), [view])
  const shownLook = useMemo((): Look => ({ ...base, ...changes }), [base, changes])
  const change = useCallback(
    (changed: Partial<Look>) =>
      setKept((before) => {
        const next = { ...before.changes, ...changed }
        localStorage.setItem(key, JSON.stringify(next))
        return { key, changes: next }
      }),
    [key]
  )
  const discard = useCallback(() => {
    localStorage.removeItem(key)
    setKept({ key, changes: {} })
  }, [key])
  return { look: shownLook, base, change, discard }
}
