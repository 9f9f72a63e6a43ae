// The commands on steps (commands.ts), carried out on the draft: what is chosen follows what was done.
import { useCallback, useMemo } from "react"
import { type Command, chosenAfter } from "./commands.ts"
import { stepsOfText, stepsText } from "./model/clipboard.ts"
import {
  branchesOf,
  duplicateStep,
  insertAt,
  moveStep,
  moveTo,
  type Place,
  placeOf,
  removeStep,
  type Steps,
  stepOf
} from "./model/steps.ts"
import { type Draft, mint } from "./useDraft.ts"
import { visibleSteps } from "./useFolds.ts"

/** Gives the keyboard to a card once it is drawn. */
export const focusCard = (id: string) =>
  window.requestAnimationFrame(() =>
    window.requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-step="${CSS.escape(id)}"]`)?.focus())
  )

/** @param folded steps whose branches are hidden: the arrow keys go past them */
export const useStepEdits = (
  draft: Draft,
  chosen: string,
  choose: (id: string) => void,
  folded: ReadonlySet<string>
) => {
  const { actions } = draft.now
  const order = useMemo(() => visibleSteps(actions, folded), [actions, folded])
  const step = stepOf(actions, chosen)
  const to = (next: Steps, id: string) => {
    draft.edit({ ...draft.now, actions: next })
    choose(id)
    focusCard(id)
  }
  /** Below what is chosen; inside of it where it holds steps and has none. */
  const below = (): Place => {
    const stepPlace = step === undefined ? undefined : placeOf(actions, step.id)
    if (step === undefined || stepPlace === undefined)
      return { parent: null, branch: "action_rows", index: chosen === "settings" ? actions.length : 0 }
    const [inner] = branchesOf(step.type)
    const rows = inner === undefined ? undefined : (step.config[inner] as Steps | undefined)
    return inner !== undefined && (rows ?? []).length === 0
      ? { parent: step.id, branch: inner, index: 0 }
      : { ...stepPlace, index: stepPlace.index + 1 }
  }
  const insert = useCallback(
    (place: Place, added: Steps) => {
      draft.edit({ ...draft.now, actions: insertAt(draft.now.actions, place, added) })
      choose(added[0]!.id)
    },
    [choose, draft]
  )
  const remove = () => step !== undefined && to(removeStep(actions, step.id), chosenAfter(order, step.id))
  const chooseNeighbour = (by: number) => {
    const selectableIds = ["trigger", "filter", ...order.map((one) => one.step.id)]
    const id = selectableIds[Math.max(0, Math.min(selectableIds.length - 1, selectableIds.indexOf(chosen) + by))]!
    choose(id)
    focusCard(id)
  }
  const run: Partial<Record<Command, () => void>> = {
    remove,
    duplicate: () => {
      const copyResult = step === undefined ? undefined : duplicateStep(actions, step.id, mint)
      if (copyResult !== undefined) to(copyResult.steps, copyResult.id)
    },
    previous: () => chooseNeighbour(-1),
    next: () => chooseNeighbour(1),
    ...Object.fromEntries(
      (["up", "down", "in", "out"] as const).map((way) => [
        way,
        () => step !== undefined && to(moveStep(actions, step.id, way), step.id)
      ])
    )
  }
  return {
    below,
    insert,
    run,
    /** Text for the clipboard; undefined if no step is selected. */
    copied: () => (step === undefined ? undefined : stepsText([step])),
    cut: remove,
    move: (id: string, place: Place) => to(moveTo(actions, id, place), id),
    paste: (text: string): boolean => {
      const steps = stepsOfText(text, mint)
      if (steps === undefined) return false
      to(insertAt(actions, below(), steps), steps[0]!.id)
      return true
    }
  }
}
export type StepEdits = ReturnType<typeof useStepEdits>
