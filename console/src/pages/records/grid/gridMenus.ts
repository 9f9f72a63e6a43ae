// Menus of a grid: of its cells, and of a column's head.
import type { App, RecordRow } from "../../../api/types.ts"
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
    { label: "Copy", keys: `${COMMAND}C`, act: acts.copy },
    ...(mayEdit
      ? [
          { label: "Cut", keys: `${COMMAND}X`, act: acts.cut },
          { label: "Paste", keys: `${COMMAND}V`, act: acts.paste },
          { label: "Fill down", keys: `${COMMAND}D`, act: acts.fillDown },
          { label: "Clear", keys: "Del", act: acts.clear }
        ]
      : []),
    { label: "Open beside the grid", keys: "Space", isDisabled, beginsGroup: true, act: acts.open }
  ]
  if (!mayEdit) return reading
  return [
    ...reading,
    { label: "Select record", keys: "Shift+Space", isDisabled, act: acts.tick },
    { label: "Duplicate record", isDisabled, act: acts.duplicate },
    { label: "Delete record", isDisabled, isDangerous: true, beginsGroup: true, act: acts.remove }
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
    { label: "Sort ascending", act: () => change({ ...rest, sort: name }) },
    { label: "Sort descending", act: () => change({ ...rest, sort: name, desc: true }) },
    ...(field === undefined ? [] : [{ label: "Filter by this field", act: () => props.filterBy(field.field_id) }]),
    ...(field === undefined || !isGroupable(field)
      ? []
      : [
          look.groupBy === id
            ? { label: "Ungroup", act: () => changeLook({ groupBy: null }) }
            : { label: "Group by this field", act: () => changeLook({ groupBy: id }) }
        ]),
    { label: "Wider", beginsGroup: true, isRepeated: true, act: resize(WIDTH_STEP) },
    { label: "Narrower", isRepeated: true, act: resize(-WIDTH_STEP) },
    ...(index === 0
      ? []
      : [
          { label: "Move left", isDisabled: index === 1, act: move(index - 1) },
          { label: "Move right", isDisabled: index === columns.length - 1, act: move(index + 1) }
        ]),
    {
      label: isFrozenEnd ? "Unfreeze" : "Freeze up to here",
      isDisabled: index === 0 && look.frozen === 1,
      act: () => changeLook({ frozen: isFrozenEnd ? 1 : index + 1 })
    },
    ...(index === 0 ? [] : [{ label: "Hide", act: () => changeLook({ hidden: [...look.hidden, id] }) }]),
    ...(app.permission_level >= 5 && field !== undefined
      ? [{ label: "Edit field", beginsGroup: true, act: props.editField }]
      : [])
  ]
}
