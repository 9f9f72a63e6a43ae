// Records as a board: a column for each option of a field; cards are dragged, carried by the keyboard, or moved by their menu.
import { useId, useRef, useState } from "react"
import type { Field, RecordRow } from "../../../../api/types.ts"
import { board as texts } from "../../../../texts/records/layoutsBoard.ts"
import type { MenuItem } from "../../../../ui/Menu.tsx"
import { Failure, Loading } from "../../../../ui/states.tsx"
import { AddDialog } from "../AddDialog.tsx"
import type { LayoutProps } from "../layoutProps.ts"
import { useCardDrag } from "../useCardDrag.ts"
import { useCardMenu } from "../useCardMenu.tsx"
import { useHistory } from "../useHistory.ts"
import { BoardColumn } from "./BoardColumn.tsx"
import { columnOf, entriesOfColumn } from "./boardColumns.ts"
import { useBoard } from "./useBoard.ts"
import { boardKeysWords, useBoardKeys } from "./useBoardKeys.ts"

const BoardOf = ({ app, field, fields, open, search }: LayoutProps & { readonly field: Field }) => {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [element, setElement] = useState<HTMLDivElement | null>(null)
  const board = useBoard(app, field, search)
  const menu = useCardMenu(box)
  const [addKey, setAddKey] = useState<number>()
  const mayMove = app.permission_level >= 3 && !field.config.always_hidden
  const historyWords = useHistory(app.app_id, mayMove)
  const keys = useBoardKeys({
    ...{ app, board, box, mayMove },
    keyField: field,
    openMenu: menu.openBelow
  })
  /** The record under the last press, as it was seen then. */
  const pressedRecord = useRef<RecordRow>(undefined)
  const { drag, onPointerDown } = useCardDrag({
    isEnabled: mayMove,
    box,
    drop: (recordId, over) => {
      if (pressedRecord.current?.record_id === recordId) board.move(pressedRecord.current, Number(over))
    }
  })
  const itemsOf = (record: RecordRow): ReadonlyArray<MenuItem> => [
    { label: texts.open, keys: "Enter", act: () => open(record.record_id) },
    ...board.options
      .filter(({ key }) => key !== columnOf(record, field) && !board.isClosed(key))
      .map(({ key, text }, index) => ({
        label: texts.moveTo(text),
        beginsGroup: index === 0,
        act: () => {
          board.move(record, key)
          keys.setWords(texts.movedTo(text))
        }
      }))
  ]
  const target = drag?.over ?? (board.carried === undefined ? undefined : String(board.carried.over))
  const cardFields = fields.filter(({ field_id }) => field_id !== field.field_id)
  return (
    <>
      {board.failed !== undefined && (
        <Failure
          what={texts.loadingRecordsFailed}
          error={board.failed.error}
          again={() => void board.failed?.refetch()}
        />
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its cards are links, whose keys and presses come here */}
      <div
        className="board"
        ref={(node) => {
          box.current = node
          setElement(node)
        }}
        onPointerDown={(event) => {
          keys.onPointerDown()
          const card = (event.target as Element).closest<HTMLElement>("[data-card]")
          pressedRecord.current = card === null ? undefined : board.findRecord(Number(card.dataset["card"]))
          onPointerDown(event)
        }}
        onKeyDown={keys.onKeyDown}
        onFocus={keys.onFocus}
        onBlur={keys.onBlur}
      >
        {board.options.map((option) => (
          <BoardColumn
            key={option.key}
            app={app}
            option={option}
            column={board.columns.get(option.key)!}
            readCount={board.read.get(option.key)?.records.length ?? 0}
            readTotal={board.read.get(option.key)?.total ?? 0}
            fields={cardFields}
            writes={board.writes}
            box={element}
            tabStop={keys.tabStop}
            draggedId={drag?.recordId}
            carriedId={board.carried?.record.record_id}
            isTarget={target === String(option.key)}
            describedBy={`${id}-keys`}
            show={board.show}
            showMore={board.showMore}
            open={open}
            add={mayMove && !board.isClosed(option.key) ? setAddKey : undefined}
            openMenu={mayMove ? menu.openAt : undefined}
          />
        ))}
      </div>
      {board.isLoading && <Loading />}
      {board.left > 0 && <p className="muted">{texts.leftMoreOfLabel(board.left.toLocaleString(), field.label)}</p>}
      <p className="unseen" id={`${id}-keys`}>
        {mayMove ? boardKeysWords : texts.arrowsMoveBetweenCardsEnter}
      </p>
      <output className="unseen">{keys.words}</output>
      <output className="history-words">{historyWords}</output>
      {menu.menuWith(itemsOf)}
      {addKey !== undefined && (
        <AddDialog
          app={app}
          fields={fields}
          preset={new Map([[field.field_id, entriesOfColumn(board.options, addKey)]])}
          close={() => setAddKey(undefined)}
        />
      )}
    </>
  )
}

const Board = (props: LayoutProps) =>
  props.chosen.board === undefined ? null : (
    <BoardOf key={props.chosen.board.field_id} {...props} field={props.chosen.board} />
  )
export default Board
