// The sample while the editor is open: which data the steps are tested with, the tests, and the results of each step (developer-api.md 7.3
// `simulate`, 7.13 `test-step`, 7.11 `retry`). A test saves first: the service tests what it has.
import { useMutation, useQueries, useQuery, useQueryClient } from "@tanstack/react-query"
import { createContext, useContext, useDeferredValue, useEffect, useMemo, useRef, useState } from "react"
import { client } from "../../../../api/client.ts"
import type { App } from "../../../../api/types.ts"
import { definitionFrom } from "../model/definition.ts"
import { flat } from "../model/steps.ts"
import { type Draft, mint } from "../useDraft.ts"
import {
  marksOf,
  type Sample,
  type SampleState,
  staleSteps,
  storedState,
  storeState,
  type TestedRun,
  withSingle
} from "./sampleState.ts"
import { resultsOf, type StepResult } from "./stepResults.ts"
import { runsById, testedRun } from "./testedRuns.ts"

/** Stays the same, so that the cards of a flow that was not tested are not looked at with each key. */
const noResults: ReadonlyMap<string, StepResult> = new Map()
const nothingStale: ReadonlySet<string> = new Set()

const withoutRecord: ReadonlySet<string> = new Set(["periodic", "webhook_received"])

interface SampleProps {
  readonly draft: Draft
  readonly app: App
  /** Run that the page's address names. */
  readonly run: string | undefined
}

export const useSampleState = ({ app, draft, run: namedRun }: SampleProps) => {
  const queries = useQueryClient()
  const automationId = draft.server.id
  const [state, setState] = useState<SampleState>(() =>
    namedRun === undefined ? storedState(automationId) : { sample: { kind: "run", run_id: namedRun }, single: {} }
  )
  const [isReal, setReal] = useState(false)
  const awaited = useRef(new Set<string>())
  useEffect(() => storeState(automationId, state), [automationId, state])

  // Marks and results follow an edit; a key that is typed does not wait for them.
  const actions = useDeferredValue(draft.now.actions)
  const steps = useMemo(() => flat(actions).map(({ step }) => step), [actions])
  const type = draft.now.trigger?.type ?? ""
  const needsRecord = !withoutRecord.has(type)
  const newest = useQuery({
    queryKey: ["records", app.app_id, "sample"],
    queryFn: ({ signal }) =>
      client.listings.filter({ app_id: app.app_id, limit: 1, total: "none", body: { filters: [] } }, { signal }),
    enabled: needsRecord && state.sample === undefined
  })
  const [newestRecord] = newest.data?.records ?? []
  const sample: Sample | undefined =
    state.sample ??
    (newestRecord === undefined
      ? undefined
      : { kind: "record", record_id: newestRecord.record_id, title: newestRecord.title })

  const sampleRun = sample?.kind === "run" ? sample.run_id : undefined
  const runIds = [
    ...new Set(
      [sampleRun, state.all?.run, ...Object.values(state.single).map(({ run }) => run)].filter((id) => id !== undefined)
    )
  ]
  const runs = useQueries({
    queries: runIds.map((id) => testedRun(id, awaited.current.has(id) ? automationId : undefined)),
    combine: runsById
  })

  const results = useMemo((): ReadonlyMap<string, StepResult> => {
    const merged = new Map<string, StepResult>()
    const add = (id: string | undefined, stale: ReadonlySet<string>, only?: string) => {
      const run = id === undefined ? undefined : runs.get(id)
      if (run === undefined) return
      const part = only === undefined ? steps : steps.filter((step) => step.id === only)
      // A test of a single step says nothing of the others, but of those inside of it.
      const newResults = resultsOf(only === undefined ? steps : flat(part).map(({ step }) => step), run, stale)
      for (const [stepId, result] of newResults) merged.set(stepId, result)
    }
    add(sampleRun, nothingStale)
    if (state.all !== undefined) add(state.all.run, staleSteps(steps, state.all))
    for (const [id, test] of Object.entries(state.single)) add(test.run, staleSteps(steps, test), id)
    return merged.size === 0 ? noResults : merged
  }, [runs, sampleRun, state.all, state.single, steps])

  const recordId =
    sample?.kind === "record"
      ? sample.record_id
      : sample?.kind === "run"
        ? (runs.get(sample.run_id)?.triggered_on_record_id ?? undefined)
        : undefined

  /** Saves, and begins: the marks are those of what is saved. */
  const saved = async () => {
    const automation = await draft.save.mutateAsync(undefined)
    // Loads the newest record first if a quick user presses before it is there.
    const newestRecord = sample === undefined && needsRecord ? (await newest.refetch()).data?.records[0] : undefined
    // The service gives parts of a definition ids of their own when it stores them.
    const { actions } = definitionFrom(automation as unknown as Record<string, unknown>, mint)
    return {
      automation_id: automation.id,
      recordId: recordId ?? newestRecord?.record_id,
      marks: marksOf(flat(actions).map(({ step }) => step))
    }
  }
  const runBody = (record_id: number | undefined) => {
    if (needsRecord) return record_id === undefined ? {} : { record_id }
    if (type !== "webhook_received") return {}
    return sample?.kind === "payload"
      ? { webhook_payload: sample.payload }
      : { use_last_received_webhook_payload: true as const }
  }
  const newTestedRun = (run: string, marks: TestedRun["marks"]): TestedRun => {
    awaited.current.add(run)
    return { run, marks }
  }

  const testAll = useMutation({
    mutationFn: async () => {
      const { automation_id, marks, recordId: record_id } = await saved()
      const request = { automation_id, body: runBody(record_id) as never }
      const { run_id } = await (isReal
        ? client.automationRuns.manualRun(request)
        : client.automationRuns.simulate(request))
      // Null: the filter is still to be judged and may reject the run, which then stands on the page of the automation's runs.
      if (run_id !== null)
        setState(({ single: _, ...last }) => ({ ...last, all: newTestedRun(run_id, marks), single: {} }))
      return run_id
    }
  })
  const testStep = useMutation({
    mutationFn: async (action_id: string) => {
      const { automation_id, marks, recordId: record_id } = await saved()
      // The values of earlier steps come from the test of all, or from the run that is the sample.
      const run_id = state.all?.run ?? sampleRun
      const data = run_id !== undefined ? { run_id } : record_id === undefined ? {} : { record_id }
      const answer = await client.automationRuns.testStep({ automation_id, body: { action_id, real: isReal, ...data } })
      if (answer.run_id !== null) setState((last) => withSingle(last, action_id, newTestedRun(answer.run_id!, marks)))
      return answer.run_id
    }
  })
  const runFromHere = useMutation({
    mutationFn: async (run_id: string) => {
      await draft.save.mutateAsync(undefined)
      const answer = await client.automationRuns.retry({ run_id, body: { from: "failed_step", definition: "current" } })
      if (answer.run_id !== null) {
        awaited.current.add(answer.run_id)
        setState({ sample: { kind: "run", run_id: answer.run_id }, single: {} })
      }
      await queries.invalidateQueries({ queryKey: ["runs"] })
      return answer.run_id
    }
  })

  return {
    sample,
    /** Other data: results of the earlier sample say nothing about it. */
    choose: (next: Sample) => {
      testAll.reset()
      testStep.reset()
      runFromHere.reset()
      setState({ sample: next, single: {} })
    },
    recordId,
    needsRecord,
    isReal,
    setReal,
    results,
    testAll,
    testStep,
    runFromHere,
    sampleRun: sampleRun === undefined ? undefined : runs.get(sampleRun),
    allRun: state.all === undefined ? undefined : runs.get(state.all.run)
  }
}
export type SampleValue = ReturnType<typeof useSampleState>

export const SampleContext = createContext<SampleValue | undefined>(undefined)

/** Results apart, so that the cards of the flow are drawn anew for them alone. */
export const ResultsContext = createContext<ReadonlyMap<string, StepResult>>(new Map())

export const useSample = (): SampleValue => {
  const value = useContext(SampleContext)
  if (value === undefined) throw new Error("outside of the editor")
  return value
}
