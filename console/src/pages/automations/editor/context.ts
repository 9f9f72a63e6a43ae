// Context that the parts of the editor share: the draft, the selection, the problems, the catalogues and the apps that are named.
import { useQueries, useQuery } from "@tanstack/react-query"
import { createContext, useCallback, useContext, useMemo, useRef } from "react"
import { appOf } from "../../../api/queries.ts"
import type { ActionType, TriggerType } from "./catalogue.ts"
import type { Definition } from "./model/definition.ts"
import type { Problem } from "./model/problems.ts"
import { appsNamed, groupsFor, type KnownApp, stepsBefore } from "./model/references.ts"
import { areAlike, flat, type Steps } from "./model/steps.ts"
import { templatesAt } from "./model/templates.ts"
import type { Draft } from "./useDraft.ts"

export interface EditorValue {
  readonly draft: Draft
  readonly app: KnownApp
  readonly actions: ReadonlyArray<ActionType>
  readonly triggers: ReadonlyArray<TriggerType>
  readonly retryTypes: ReadonlyArray<string>
  readonly problems: ReadonlyArray<Problem>
  /** `trigger`, `filter`, `settings`, or the id of a step. */
  readonly chosen: string
  readonly choose: (id: string) => void
  readonly apps: ReadonlyMap<number, KnownApp>
  /** Steps before the chosen one. */
  readonly earlierSteps: Steps
}

export const EditorContext = createContext<EditorValue | undefined>(undefined)

export const useEditor = (): EditorValue => {
  const value = useContext(EditorContext)
  if (value === undefined) throw new Error("outside of the editor")
  return value
}

/** The apps that a definition names, with their fields, as far as they are known by now. */
export const useApps = (own: KnownApp, { actions }: Definition): ReadonlyMap<number, KnownApp> => {
  const ids = appsNamed(flat(actions).map(({ step }) => step)).filter((id) => id !== own.app_id)
  // The map stays the same until an app changes: what names apps is drawn anew with it.
  const combine = useCallback(
    (answers: ReadonlyArray<{ readonly data: KnownApp | undefined }>) =>
      new Map(
        [own, ...answers.flatMap(({ data }) => (data === undefined ? [] : [data]))].map((app) => [app.app_id, app])
      ),
    [own]
  )
  return useQueries({ queries: ids.map((id) => appOf(id)), combine })
}

/**
 * Steps whose values the selected part can refer to; a trigger's page sees what the trigger brings, and nothing of steps. The list stays the
 * same while nothing before the part changes: what follows from two hundred steps is not made anew with each key in the last one.
 */
export const useStepsBefore = (actions: Steps, chosen: string): Steps => {
  const last = useRef<Steps>([])
  return useMemo(() => {
    const isStep = chosen !== "filter" && chosen !== "trigger" && chosen !== "settings"
    const earlierSteps = isStep ? stepsBefore(actions, chosen) : []
    if (!areAlike(last.current, earlierSteps)) last.current = earlierSteps
    return last.current
  }, [actions, chosen])
}

/** Values that can be referred to at the selected part. */
export const useReferences = () => {
  const { app, apps, draft, earlierSteps } = useEditor()
  const { trigger } = draft.now
  return useMemo(() => groupsFor(trigger, earlierSteps, app, apps), [app, apps, earlierSteps, trigger])
}

/** Short templates that can be read at the selected part. */
export const useTemplates = () => {
  const { app, apps, draft, earlierSteps } = useEditor()
  const { trigger } = draft.now
  return useMemo(() => templatesAt(trigger, earlierSteps, app, apps), [app, apps, earlierSteps, trigger])
}

export const useLabels = () => {
  const { actions, triggers } = useEditor()
  return (type: string) =>
    [...actions, ...triggers].find((one) => one.type === type)?.label ?? type.replaceAll("_", " ")
}

export const useAppOf = (id: number | undefined) => useQuery({ ...appOf(id ?? 0), enabled: id !== undefined }).data
