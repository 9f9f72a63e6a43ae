// The runs of tests with their logs, of which the editor shows what each step was given and gave.
import { client, isNotFound } from "../../../../api/client.ts"
import { againWhile } from "../../../../api/goingOn.ts"
import { isOver, type RunWithLogs } from "../../../runs/runWords.tsx"

/** Polling interval of a test, in milliseconds, until it is over; events bring it sooner. */
const LOOK = 1_000
/** Entries of a run's log that are read. */
const ENTRIES = 500
const FAILURES = 100

/** Newest runs that are searched for one that was asked for: by its id it is not found before it begins. */
const NEWEST = 20

/** Null while the run has not begun, or once it was deleted. */
const readRun = async (
  run_id: string,
  awaitedOf: number | undefined,
  signal: AbortSignal
): Promise<RunWithLogs | null> => {
  if (awaitedOf !== undefined) {
    const body = { limit: NEWEST }
    const { automation_runs } = await client.automationRuns.listAutomation({ id: awaitedOf, body }, { signal })
    if (!automation_runs.some(({ id }) => id === run_id)) return null
  }
  try {
    const { automation_run } = await client.automationRuns.get({ run_id, log_limit: ENTRIES }, { signal })
    if (automation_run.status !== "failed" || automation_run.logs.length < ENTRIES) return automation_run
    // The failures of a long log, which stand at its end, are read as well.
    const { logs } = await client.automationRuns.log({ run_id, status: "failure", limit: FAILURES }, { signal })
    const ids = new Set(automation_run.logs.map(({ id }) => id))
    return { ...automation_run, logs: [...automation_run.logs, ...logs.filter(({ id }) => !ids.has(id))] }
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}

/** @param awaitedOf automation of a run that was asked for just now, and is there in a moment */
export const testedRun = (run_id: string, awaitedOf: number | undefined) => ({
  queryKey: ["run", run_id, "tested"],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => readRun(run_id, awaitedOf, signal),
  refetchInterval: ({ state: { data } }: { readonly state: { readonly data?: RunWithLogs | null | undefined } }) =>
    againWhile(data === null ? awaitedOf !== undefined : data !== undefined && !isOver(data.status), LOOK)
})

/** Stable, so that a key that is typed does not join the answers anew. */
export const runsById = (answers: ReadonlyArray<{ readonly data?: RunWithLogs | null | undefined }>) =>
  new Map(answers.flatMap(({ data }) => (data == null ? [] : [[data.id, data] as const])))
