// Shows an item of a loop in a run: what its steps did, the loops inside of it, and a link to the next one that failed.
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useEffect, useRef } from "react"
import { runItem as texts } from "../../texts/runs/run.ts"
import { RunLog } from "./RunLog.tsx"
import { RunLoops } from "./RunLoops.tsx"
import { itemsOf } from "./runQueries.ts"

interface RunItemProps {
  readonly runId: string
  readonly loop: string
  /** `17`, `3.17`: the last one is the item's. */
  readonly iteration: string
}
export const RunItem = ({ iteration, loop, runId }: RunItemProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  const outerIteration = iteration.split(".").slice(0, -1).join(".")
  const item = Number(iteration.split(".").at(-1))
  const query = useQuery(itemsOf(runId, { loop, around: outerIteration, limit: 1_000 }))
  const shownItem = query.data?.shown.find((one) => one.item === item)
  const next = query.data?.shown.find((one) => one.status === "failure" && one.item > item)
  const itemKey = `${loop} ${iteration}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: another item is read from its beginning
  useEffect(() => heading.current?.focus(), [itemKey])
  return (
    <>
      <section className="card" aria-labelledby="item">
        <div className="head">
          <h2 id="item" ref={heading} tabIndex={-1}>
            {texts.itemItem(
              item + 1,
              query.data !== undefined && texts.ofTotalLabel(query.data.size.toLocaleString(), query.data.label)
            )}
          </h2>
          <div className="actions">
            {next !== undefined && (
              <Link
                className="button quiet small"
                to="/runs/$runId"
                params={{ runId }}
                search={{ loop, item: outerIteration === "" ? String(next.item) : `${outerIteration}.${next.item}` }}
              >
                {texts.nextThatFailed}
              </Link>
            )}
            <Link className="button quiet small" to="/runs/$runId" params={{ runId }} search={{}}>
              {texts.wholeRun}
            </Link>
          </div>
        </div>
        {shownItem?.record_id !== undefined && (
          <p>
            {texts.itsRecord(
              <Link to="/records/$recordId" params={{ recordId: String(shownItem.record_id) }}>
                {shownItem.record_title ?? texts.recordId(shownItem.record_id)}
              </Link>
            )}
          </p>
        )}
        <RunLog key={itemKey} runId={runId} part={{ loop, iteration }} nothing={texts.noStepHasWrittenAnything} />
      </section>
      <RunLoops runId={runId} loop={loop} iteration={iteration} />
    </>
  )
}
