// Names by which sentences tell what a definition refers to: the labels of the catalogues, and the apps that it names with their fields.
import { useQueries } from "@tanstack/react-query"
import { useCallback, useMemo } from "react"
import { appOf } from "../../api/queries.ts"
import type { App } from "../../api/types.ts"
import type { Names } from "./editor/model/conditionSentence.ts"
import { appsNamed } from "./editor/model/references.ts"
import { flat, type Steps } from "./editor/model/steps.ts"
import { useLabels } from "./useLabels.ts"

/** @param app_id the app of the automation; 0 until it is known */
export const useNames = (app_id: number, steps: Steps): Names => {
  const label = useLabels()
  const ids = useMemo(
    () => [...new Set([app_id, ...appsNamed(flat(steps).map(({ step }) => step))])].filter((id) => id !== 0),
    [app_id, steps]
  )
  const combine = useCallback(
    (answers: ReadonlyArray<{ readonly data: App | undefined }>) =>
      new Map(answers.flatMap(({ data }) => (data === undefined ? [] : [[data.app_id, data] as const]))),
    []
  )
  const apps = useQueries({ queries: ids.map((id) => appOf(id)), combine })
  return useMemo(() => ({ label, apps }), [apps, label])
}
