// The sample of an automation: the record, run or payload that its steps are tested with, and the runs of those tests. A browser remembers ids
// and marks of steps alone, per automation: values stay in the logs of the runs, whose secrets the service hides.
import { ownConfigOf, type Step } from "../model/steps.ts"

export type Sample =
  | { readonly kind: "record"; readonly record_id: number; readonly title: string }
  | { readonly kind: "run"; readonly run_id: string }
  | { readonly kind: "payload"; readonly payload: unknown }

/** Run of a test, with the marks of the steps as they were then. */
export interface TestedRun {
  readonly run: string
  readonly marks: Readonly<Record<string, string>>
}

export interface SampleState {
  readonly sample?: Sample
  /** Test of all steps. */
  readonly all?: TestedRun
  /** Tests of single steps since, by the id of the step. */
  readonly single: Readonly<Record<string, TestedRun>>
}

export const noSample: SampleState = { single: {} }

/** Tests of single steps that are remembered: each is a request when the editor opens. */
const SINGLE_AT_MOST = 20
const keyFor = (automationId: number) => `millrace-sample-${automationId}`

const isObject = (value: unknown): value is Record<string, any> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const isTest = (value: unknown): value is TestedRun =>
  isObject(value) && typeof value["run"] === "string" && isObject(value["marks"])
const isSample = (value: unknown): value is Sample =>
  isObject(value) &&
  ((value["kind"] === "record" && Number.isSafeInteger(value["record_id"]) && typeof value["title"] === "string") ||
    (value["kind"] === "run" && typeof value["run_id"] === "string"))

/** @returns the state without what does not read as such */
export const readState = (text: string | null): SampleState => {
  let raw: unknown
  try {
    raw = JSON.parse(text ?? "null")
  } catch {
    return noSample
  }
  if (!isObject(raw)) return noSample
  return {
    ...(isSample(raw["sample"]) ? { sample: raw["sample"] } : {}),
    ...(isTest(raw["all"]) ? { all: raw["all"] } : {}),
    single: isObject(raw["single"])
      ? Object.fromEntries(
          Object.entries(raw["single"]).filter((entry): entry is [string, TestedRun] => isTest(entry[1]))
        )
      : {}
  }
}

export const storedState = (automationId: number): SampleState => readState(localStorage.getItem(keyFor(automationId)))

/** A payload is not remembered: it may hold credentials of its sender. */
export const storeState = (automationId: number, { sample, ...tests }: SampleState) => {
  const kept = sample === undefined || sample.kind === "payload" ? tests : { sample, ...tests }
  try {
    localStorage.setItem(keyFor(automationId), JSON.stringify(kept))
  } catch {
    // A full or forbidden storage remembers nothing; the tests stay until the page is left.
  }
}

export const withSingle = (state: SampleState, id: string, test: TestedRun): SampleState => {
  const { [id]: _, ...others } = state.single
  return { ...state, single: Object.fromEntries([...Object.entries(others).slice(1 - SINGLE_AT_MOST), [id, test]]) }
}

/** Marks by step: edits leave the other steps as the objects that they are. */
const marks = new WeakMap<Step, string>()

/** Short text that differs once the step does anything else; steps inside of it have their own. */
export const markOf = (step: Step): string => {
  const formerMark = marks.get(step)
  if (formerMark !== undefined) return formerMark
  const { config, custom_name: _, ...rest } = step
  let hash = 5381
  for (const character of JSON.stringify([rest, ownConfigOf(config)])) hash = (hash * 33 + character.charCodeAt(0)) | 0
  const mark = (hash >>> 0).toString(36)
  marks.set(step, mark)
  return mark
}

export const marksOf = (steps: ReadonlyArray<Step>): Readonly<Record<string, string>> =>
  Object.fromEntries(steps.map((step) => [step.id, markOf(step)]))

/** Ids of the steps whose results are from before a change of them, or of a step before them. */
export const staleSteps = (steps: ReadonlyArray<Step>, { marks: tested }: TestedRun): ReadonlySet<string> => {
  const firstChanged = steps.findIndex((step) => tested[step.id] !== markOf(step))
  return new Set(firstChanged < 0 ? [] : steps.slice(firstChanged).map(({ id }) => id))
}
