// Menus of a grid: of its cells, and of a column's head.
import type { App, RecordRow } from "../../../api/types.ts"
import { gridMenus as texts } from "../../../texts/records/gridWords.ts"
import type { MenuItem } from "../../../ui/Menu.tsx"
import { isApple } from "../../../ui/Shortcuts.tsx"
import type { GridSearch } from "../recordQueries.ts"
import { isGroupable } from "./groups.ts"
import { type Column, clampWidth, type Look, moveColumn } from "./look.ts"

const COMMAND = isApple ? "⌘" : "Ctrl+"

export interface CellMenuActs {
  readonly copy: () => void
  readonly cut: () => void
  readonly paste: () => void
  readonly clear: () => void
  readonly fillDown: () => void
  readonly open: () => void
  readonly tick: () => void
  readonly duplicate: () => void
  readonly remove: () => void
}

export const cellMenu = (
  record: RecordRow | undefined,
  mayEdit: boolean,
  acts: CellMenuActs
): ReadonlyArray<MenuItem> => {
  const isDisabled = record === undefined
  const reading: ReadonlyArray<MenuItem> = [
    { label: texts.copy, keys: `${COMMAND}C`, act: acts.copy },
    ...(mayEdit
      ? [
          { label: texts.cut, keys: `${COMMAND}X`, act: acts.cut },
          { label: texts.paste, keys: `${COMMAND}V`, act: acts.paste },
          { label: texts.fillDown, keys: `${COMMAND}D`, act: acts.fillDown },
          { label: texts.clear, keys: texts.del, act: acts.clear }
        ]
      : []),
    { label: texts.openBesideTheGrid, keys: "Space", isDisabled, beginsGroup: true, act: acts.open }
  ]
  if (!mayEdit) return reading
  return [
    ...reading,
    { label: texts.selectRecord, keys: "Shift+Space", isDisabled, act: acts.tick },
    { label: texts.duplicateRecord, isDisabled, act: acts.duplicate },
    { label: texts.deleteRecord, isDisabled, isDangerous: true, beginsGroup: true, act: acts.remove }
  ]
}

interface HeadMenuProps {
  readonly app: App
  readonly column: Column
  readonly columns: ReadonlyArray<Column>
  readonly look: Look
  readonly changeLook: (look: Partial<Look>) => void
  readonly search: GridSearch
  readonly change: (next: GridSearch) => void
  readonly filterBy: (fieldId: number) => void
  readonly editField: () => void
}

/** Pixels by which an item of the menu changes a width. */
const WIDTH_STEP = 40

export const headMenu = (props: HeadMenuProps): ReadonlyArray<MenuItem> => {
  const { app, change, changeLook, column, columns, look, search } = props
  const { field, id, index } = column
  const { desc: _, sort: __, ...rest } = search
  const name = field?.external_id ?? "title"
  const resize = (by: number) => () => changeLook({ widths: { ...look.widths, [id]: clampWidth(column.width + by) } })
  const move = (to: number) => () => changeLook({ order: moveColumn(columns, index, to) })
  const isFrozenEnd = look.frozen === index + 1
  return [
    { label: texts.sortAscending, act: () => change({ ...rest, sort: name }) },
    { label: texts.sortDescending, act: () => change({ ...rest, sort: name, desc: true }) },
    ...(field === undefined ? [] : [{ label: texts.filterByThisField, act: () => props.filterBy(field.field_id) }]),
    ...(field === undefined || !isGroupable(field)
      ? []
      : [
          look.groupBy === id
            ? { label: texts.ungroup, act: () => changeLook({ groupBy: null }) }
            : { label: texts.groupByThisField, act: () => changeLook({ groupBy: id }) }
        ]),
    { label: texts.wider, beginsGroup: true, isRepeated: true, act: resize(WIDTH_STEP) },
    { label: texts.narrower, isRepeated: true, act: resize(-WIDTH_STEP) },
    ...(index === 0
      ? []
      : [
          { label: texts.moveLeft, isDisabled: index === 1, act: move(index - 1) },
          { label: texts.moveRight, isDisabled: index === columns.length - 1, act: move(index + 1) }
        ]),
    {
      label: isFrozenEnd ? texts.unfreeze : texts.freezeUpToHere,
      isDisabled: index === 0 && look.frozen === 1,
      act: () => changeLook({ frozen: isFrozenEnd ? 1 : index + 1 })
    },
    ...(index === 0 ? [] : [{ label: texts.hide, act: () => changeLook({ hidden: [...look.hidden, id] }) }]),
    ...(app.permission_level >= 5 && field !== undefined
      ? [{ label: texts.editField, beginsGroup: true, act: props.editField }]
      : [])
  ]
}
