// Context that the parts of the editor share: the draft, the selection, the problems, the catalogues and the apps that are named.
import { useQueries, useQuery } from "@tanstack/react-query"
import { createContext, useCallback, useContext, useMemo } from "react"
import { appOf } from "../../../api/queries.ts"
import type { ActionType, TriggerType } from "./catalogue.ts"
import type { Definition } from "./model/definition.ts"
import type { Problem } from "./model/problems.ts"
import { appsNamed, groupsFor, type KnownApp, stepsBefore } from "./model/references.ts"
import { flat } from "./model/steps.ts"
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

/** Steps whose values the selected part can refer to; a trigger's page sees what the trigger brings, and nothing of steps. */
const useEarlierSteps = () => {
  const { chosen, draft } = useEditor()
  const { actions } = draft.now
  return useMemo(() => {
    const isStep = chosen !== "filter" && chosen !== "trigger" && chosen !== "settings"
    return isStep ? stepsBefore(actions, chosen) : []
  }, [actions, chosen])
}

/** Values that can be referred to at the selected part. */
export const useReferences = () => {
  const { app, apps, draft } = useEditor()
  const earlierSteps = useEarlierSteps()
  return useMemo(() => groupsFor(draft.now, earlierSteps, app, apps), [app, apps, draft.now, earlierSteps])
}

/** Short templates that can be read at the selected part. */
export const useTemplates = () => {
  const { app, apps, draft } = useEditor()
  const earlierSteps = useEarlierSteps()
  return useMemo(() => templatesAt(draft.now, earlierSteps, app, apps), [app, apps, draft.now, earlierSteps])
}

export const useLabels = () => {
  const { actions, triggers } = useEditor()
  return (type: string) =>
    [...actions, ...triggers].find((one) => one.type === type)?.label ?? type.replaceAll("_", " ")
}

export const useAppOf = (id: number | undefined) => useQuery({ ...appOf(id ?? 0), enabled: id !== undefined }).data
