// Keeps the look of each view's grid in the browser.
import { useCallback, useState } from "react"
import { clampWidth, type Look, plainLook, rowHeights } from "./look.ts"

const keyOf = (appId: number, view: number | undefined) => `millrace grid ${appId} ${view ?? "all"}`

const idsOf = (value: unknown): ReadonlyArray<number> =>
  Array.isArray(value) ? value.filter((id) => Number.isSafeInteger(id)) : []

/** Reads what is kept; what does not fit is left out. */
const readLook = (text: string | null): Look => {
  let kept: any
  try {
    kept = JSON.parse(text ?? "{}") ?? {}
  } catch {
    return plainLook
  }
  return {
    order: idsOf(kept.order),
    hidden: idsOf(kept.hidden),
    frozen: Number.isSafeInteger(kept.frozen) && kept.frozen > 0 ? kept.frozen : plainLook.frozen,
    rowHeight: Object.hasOwn(rowHeights, kept.rowHeight) ? kept.rowHeight : plainLook.rowHeight,
    widths: Object.fromEntries(
      Object.entries(kept.widths ?? {}).flatMap(([id, width]) =>
        Number.isFinite(width) ? [[id, clampWidth(Number(width))]] : []
      )
    )
  }
}

export const useLook = (appId: number, view: number | undefined) => {
  const key = keyOf(appId, view)
  const [kept, setKept] = useState(() => ({ key, look: readLook(localStorage.getItem(key)) }))
  const viewLook = kept.key === key ? kept.look : readLook(localStorage.getItem(key))
  if (kept.key !== key) setKept({ key, look: viewLook })
  const change = useCallback(
    (changed: Partial<Look>) =>
      setKept((before) => {
        const next = { ...before.look, ...changed }
        localStorage.setItem(key, JSON.stringify(next))
        return { key, look: next }
      }),
    [key]
  )
  return { look: viewLook, change }
}
