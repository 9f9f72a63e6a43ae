// Steps whose branches are folded. What is chosen is never hidden: the steps around it unfold.
import { useCallback, useMemo, useState } from "react"
import { flat, type Steps } from "./model/steps.ts"

export const useFolds = (actions: Steps, chosen: string) => {
  const [wanted, setWanted] = useState<ReadonlySet<string>>(new Set())
  const folded = useMemo(() => {
    if (wanted.size === 0) return wanted
    const outerSteps = flat(actions).filter(({ step }) =>
      flat([step])
        .slice(1)
        .some((inner) => inner.step.id === chosen)
    )
    return new Set([...wanted].filter((id) => !outerSteps.some(({ step }) => step.id === id)))
  }, [actions, chosen, wanted])
  const fold = useCallback(
    (id: string) =>
      setWanted((last) => {
        const next = new Set(last)
        if (!next.delete(id)) next.add(id)
        return next
      }),
    []
  )
  return { folded, fold }
}

/** Steps in reading order, without those that a folded one hides. */
export const visibleSteps = (actions: Steps, folded: ReadonlySet<string>) => {
  const hiddenParents = new Set<string>(folded)
  return flat(actions).filter(({ place, step }) => {
    const isHidden = place.parent !== null && hiddenParents.has(place.parent)
    if (isHidden) hiddenParents.add(step.id)
    return !isHidden
  })
}
