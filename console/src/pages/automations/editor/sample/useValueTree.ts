// The values that the selected part can refer to, each with its type and an example, in groups: what the value picker shows and conditions ask.
import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { client } from "../../../../api/client.ts"
import { useValueTree as texts } from "../../../../texts/automations/editorSampleWords.ts"
import { useReferences } from "../context.ts"
import type { ReferenceChoice } from "../model/references.ts"
import { useSample } from "./useSample.ts"
import { type Example, exampleOf, payloadChoices } from "./valueExamples.ts"

export interface ValueChoice extends ReferenceChoice {
  readonly example: Example
}
export interface ValueGroup {
  readonly group: string
  readonly choices: ReadonlyArray<ValueChoice>
}

export const useValueTree = (): ReadonlyArray<ValueGroup> => {
  const groups = useReferences()
  const { recordId, results, sample } = useSample()
  const record = useQuery({
    queryKey: ["record", recordId],
    queryFn: ({ signal }) => client.records.get({ record_id: recordId! }, { signal }),
    enabled: recordId !== undefined
  }).data
  const payload = sample?.kind === "payload" ? sample.payload : undefined
  return useMemo(() => {
    const sources = { payload, record, results }
    const typed = groups.map(({ choices, group }) => ({
      group,
      choices: choices.map((choice) => ({ ...choice, example: exampleOf(choice, sources) }))
    }))
    const members = payloadChoices(payload)
    return members.length === 0 ? typed : [...typed, { group: texts.fromThePayload, choices: members }]
  }, [groups, payload, record, results])
}
