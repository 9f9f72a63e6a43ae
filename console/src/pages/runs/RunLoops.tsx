// The loops of a run, or of one item of a loop: how many items are done, those that failed first, each a press away.
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useId, useState } from "react"
import { runLoops as texts } from "../../texts/runs/run.ts"
import { Failure, Loading } from "../../ui/states.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { type ItemState, itemsOf, type Loop, type LoopItem, loopsOf, runOf } from "./runQueries.ts"
import { isOver, itemWordsOf } from "./runWords.tsx"

/** Items that are shown at first; a button shows the rest. */
const AT_FIRST = 5
const ALL = 1_000

const states = Object.keys(itemWordsOf(false)) as ReadonlyArray<ItemState>

/** The loops and items around, the outermost first, as the API writes them. */
export interface Around {
  readonly runId: string
  readonly loop?: string
  readonly iteration: string
}

const nameOf = ({ item, record_id, record_title }: LoopItem) => {
  const record =
    record_title !== undefined && record_title !== "" ? record_title : record_id && texts.recordId(record_id)
  return record ? texts.itemItemRecord(item + 1, record) : texts.itemItem(item + 1)
}

interface ItemRowProps {
  readonly around: Around
  readonly loop: Loop
  readonly item: LoopItem
  readonly words: ReturnType<typeof itemWordsOf>
}
const ItemRow = ({ around, item, loop, words }: ItemRowProps) => {
  const { tone, word } = words[item.status]
  const iteration = around.iteration === "" ? String(item.item) : `${around.iteration}.${item.item}`
  return (
    <li className="loop-item">
      <Tag tone={tone}>{word}</Tag>
      <div>
        {item.status === "pending" ? (
          nameOf(item)
        ) : (
          <Link to="/runs/$runId" params={{ runId: around.runId }} search={{ loop: loop.action_id, item: iteration }}>
            {nameOf(item)}
          </Link>
        )}
        {item.error_message !== undefined && <p className="error-line">{item.error_message}</p>}
      </div>
    </li>
  )
}

const Bar = ({ loop }: { readonly loop: Loop }) => {
  let from = 0
  return (
    <svg className="loop-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      {states.map((state) => {
        const percentage = loop.size === 0 ? 0 : (loop.items[state] / loop.size) * 100
        // Minimum width of failures: one failed item among a thousand must be visible.
        const width = state === "failure" && percentage > 0 ? Math.max(percentage, 1) : percentage
        const x = from
        from += width
        return <rect key={state} className={`of-${state}`} x={x} y="0" width={width} height="6" />
      })}
    </svg>
  )
}

const LoopCard = ({ around, loop }: { readonly around: Around; readonly loop: Loop }) => {
  const [all, setAll] = useState(false)
  const [status, setStatus] = useState<ItemState>()
  const id = useId()
  const itemsRequest = { loop: loop.action_id, around: around.iteration, limit: all ? ALL : AT_FIRST, status }
  const query = useQuery(itemsOf(around.runId, itemsRequest))
  const counts = states.filter((state) => loop.items[state] > 0)
  const run = useQuery(runOf(around.runId)).data
  const words = itemWordsOf(run !== undefined && isOver(run.status))
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>
        {loop.label} <small>{texts.items(loop.size, loop.size.toLocaleString())}</small>
      </h2>
      <Bar loop={loop} />
      <p role="status" className="muted">
        {counts.map((state) => `${loop.items[state].toLocaleString()} ${words[state].inside}`).join(" · ")}
      </p>
      {all && (
        <div className="tools">
          <label className="unseen" htmlFor={`${id}s`}>
            {texts.whichItems}
          </label>
          <select
            id={`${id}s`}
            className="short"
            value={status ?? ""}
            onChange={({ target }) => setStatus(target.value === "" ? undefined : (target.value as ItemState))}
          >
            <option value="">{texts.allItems}</option>
            {counts.map((state) => (
              <option key={state} value={state}>
                {words[state].word}
              </option>
            ))}
          </select>
        </div>
      )}
      {query.isPending && <Loading />}
      {query.isError && <Failure what={texts.itemsCouldNotBeLoaded} error={query.error} />}
      <ul className={all ? "plain loop-items all" : "plain loop-items"}>
        {(query.data?.shown ?? []).map((item) => (
          <ItemRow key={item.item} around={around} loop={loop} item={item} words={words} />
        ))}
      </ul>
      {!all && loop.size > AT_FIRST && (
        <button type="button" className="quiet small" onClick={() => setAll(true)}>
          {texts.showAllCountItems(loop.size.toLocaleString())}
        </button>
      )}
    </section>
  )
}

export const RunLoops = (around: Around) => {
  const { iteration, loop, runId } = around
  const query = useQuery(loopsOf(runId, loop === undefined ? {} : { loop, iteration }))
  return (query.data?.loops ?? []).map((one) => <LoopCard key={one.action_id} around={around} loop={one} />)
}
