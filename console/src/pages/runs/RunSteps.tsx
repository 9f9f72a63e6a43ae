// The steps of a run: what happened outside of its loops in order, and its loops as overviews; or everything that failed, wherever it stood.
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { runSteps as texts } from "../../texts/runs/run.ts"
import { RunLog } from "./RunLog.tsx"
import { RunLoops } from "./RunLoops.tsx"
import { failuresOf, loopsOf } from "./runQueries.ts"

type View = "overview" | "failed" | "all"

export const RunSteps = ({ runId }: { readonly runId: string }) => {
  const [view, setView] = useState<View>("overview")
  const failures = useQuery(failuresOf(runId)).data?.total ?? 0
  const hasLoops = (useQuery(loopsOf(runId, {})).data?.loops.length ?? 0) > 0
  const parts = { overview: { outside_loops: true }, failed: { status: "failure" }, all: {} } as const
  return (
    <div>
      {view === "overview" && <RunLoops runId={runId} iteration="" />}
      <section className="card" aria-labelledby="steps">
        <div className="head">
          <h2 id="steps">{view === "overview" && hasLoops ? texts.stepsOutsideOfLoops : texts.steps}</h2>
          {(failures > 0 || hasLoops) && (
            <>
              <label className="unseen" htmlFor="which-steps">
                {texts.whichSteps}
              </label>
              <select
                id="which-steps"
                className="short"
                value={view}
                onChange={({ target }) => setView(target.value as View)}
              >
                <option value="overview">{hasLoops ? texts.outsideOfLoops : texts.allSteps}</option>
                {failures > 0 && (
                  <option value="failed">{texts.onlyWhatFailedFailures(failures.toLocaleString())}</option>
                )}
                {hasLoops && <option value="all">{texts.allOfTheLog}</option>}
              </select>
            </>
          )}
        </div>
        <RunLog key={view} runId={runId} part={parts[view]} nothing={texts.nothingHasHappenedYet} />
      </section>
    </div>
  )
}
