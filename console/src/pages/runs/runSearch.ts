// Filters of the list of runs: as its address has it, and as the API takes it.
import { textOf } from "../../ui/Time.tsx"
import type { Status } from "./runWords.tsx"

/** Search parameters in the address. Times are in the reader's zone. */
export interface RunSearch {
  readonly status?: Status | undefined
  readonly record?: number | undefined
  readonly app?: number | undefined
  readonly automation?: number | ReadonlyArray<number> | undefined
  /** The run that caused them. */
  readonly cause?: number | undefined
  readonly error?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

const instant = (local: string | undefined) => {
  const date = local === undefined ? undefined : new Date(local)
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : textOf(date)
}

export const automationsIn = ({ automation }: RunSearch): ReadonlyArray<number> =>
  automation === undefined ? [] : typeof automation === "number" ? [automation] : automation

export const conditionsOf = (search: RunSearch) => {
  const { app, cause, error, from, record, status, to } = search
  const automation_ids = automationsIn(search)
  const [after, before] = [instant(from), instant(to)]
  return {
    ...(status === undefined ? {} : { status }),
    ...(app === undefined ? {} : { app_ids: [app] }),
    ...(record === undefined ? {} : { record_ids: [record] }),
    ...(automation_ids.length === 0 ? {} : { automation_ids: [...automation_ids] }),
    ...(cause === undefined ? {} : { caused_by_run_ids: [String(cause)] }),
    ...(error === undefined ? {} : { error_contains: error }),
    ...(after === undefined ? {} : { created_at_from: after }),
    ...(before === undefined ? {} : { created_at_to: before })
  }
}
