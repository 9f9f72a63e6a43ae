// A column of a board: its option with its colour and number, its cards, more of them as it is scrolled, and a button that adds one.
import { type MouseEvent, useEffect, useRef } from "react"
import type { App, Field, RecordRow } from "../../../../api/types.ts"
import { boardColumn as texts } from "../../../../texts/records/layoutsBoard.ts"
import { Card } from "../Card.tsx"
import type { Writes } from "../seenCells.ts"
import type { BoardOption, BoardColumn as Column } from "./boardColumns.ts"
import { MOST_CARDS } from "./useBoard.ts"

/** Calls with what is seen of an element, from a little before it comes into the box. */
const useSeen = (box: HTMLElement | null, margin: string, told: (isSeen: boolean) => void) => {
  const element = useRef<HTMLElement>(null)
  const latest = useRef(told)
  latest.current = told
  useEffect(() => {
    const watched = element.current
    if (watched === null) return
    const observer = new IntersectionObserver((entries) => latest.current(entries.at(-1)!.isIntersecting), {
      root: box,
      rootMargin: margin
    })
    observer.observe(watched)
    return () => observer.disconnect()
  }, [box, margin])
  return element
}

interface MoreProps {
  readonly box: HTMLElement | null
  readonly shown: number
  readonly showMore: () => void
}
/** The end of a list of which there is more. */
const More = ({ box, showMore, shown }: MoreProps) => {
  const element = useSeen(box, "400px", (isSeen) => isSeen && showMore())
  return (
    <li key={shown} ref={element as React.Ref<HTMLLIElement>} className="more-cards" aria-hidden="true">
      {texts.loading}
    </li>
  )
}

interface ColumnProps {
  readonly app: App
  readonly option: BoardOption
  readonly column: Column
  /** Records that were read, and how many there were. */
  readonly readCount: number
  readonly readTotal: number
  readonly fields: ReadonlyArray<Field>
  readonly writes: Writes
  readonly box: HTMLElement | null
  readonly tabStop: number | undefined
  readonly draggedId: number | undefined
  readonly carriedId: number | undefined
  readonly isTarget: boolean
  readonly describedBy: string
  readonly show: (key: number, isSeen: boolean) => void
  readonly showMore: (key: number) => void
  readonly open: (recordId: number) => void
  readonly add: ((key: number) => void) | undefined
  readonly openMenu: ((event: MouseEvent<HTMLElement>, record: RecordRow) => void) | undefined
}
export const BoardColumn = (props: ColumnProps) => {
  const { add, app, box, column, option, readCount, readTotal, show, showMore } = props
  const { color, key, text } = option
  const { records, total } = column
  const list = useRef<HTMLUListElement>(null)
  const element = useSeen(box, "0px 300px", (isSeen) => show(key, isSeen))
  const label = total === null ? text : `${text}, ${total.toLocaleString()}`
  return (
    <section
      className="board-column"
      ref={element}
      aria-label={label}
      data-drop={key}
      data-over={props.isTarget || undefined}
    >
      <header className="column-head">
        <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
          <circle cx="5" cy="5" r="4.5" fill={color === undefined ? "none" : `#${color}`} className="option-dot" />
        </svg>
        <h2>{text}</h2>
        <span className="count">{total?.toLocaleString() ?? ""}</span>
        {add !== undefined && (
          <button type="button" className="card-menu" aria-label={texts.addTo(text)} onClick={() => add(key)}>
            +
          </button>
        )}
      </header>
      <ul className="plain cards" ref={list} data-scrolls aria-label={texts.recordsIn(text)}>
        {records.map((record) => (
          <Card
            key={record.record_id}
            app={app}
            record={record}
            fields={props.fields}
            writes={props.writes.get(record.record_id)}
            open={props.open}
            openMenu={props.openMenu}
            isTabStop={props.tabStop === record.record_id}
            isDragged={props.draggedId === record.record_id}
            isCarried={props.carriedId === record.record_id}
            describedBy={props.describedBy}
          />
        ))}
        {readCount < readTotal && readCount < MOST_CARDS && (
          <More key={readCount} box={list.current} shown={readCount} showMore={() => showMore(key)} />
        )}
        {readTotal > MOST_CARDS && readCount >= MOST_CARDS && (
          <li className="more-cards">
            {texts.firstMostCardsOfRead(MOST_CARDS.toLocaleString(), readTotal.toLocaleString())}
          </li>
        )}
      </ul>
    </section>
  )
}
