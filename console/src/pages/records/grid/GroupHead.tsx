// The head of a group in a grid: its value, how many records it has, whether they are shown, and a button that adds one.

import { groupHead as texts } from "../../../texts/records/grid.ts"
import { icons } from "../../../ui/icons.tsx"
import { type GroupSpan, isMore } from "./groups.ts"

interface GroupHeadProps {
  readonly span: GroupSpan
  readonly height: number
  /** Columns of the table as it is drawn. */
  readonly width: number
  readonly toggle: (key: string, isOpen: boolean) => void
  /** Left out where a new record cannot begin in the group. */
  readonly add?: (() => void) | undefined
}
export const GroupHead = ({ add, height, span, toggle, width }: GroupHeadProps) => {
  const { group, isOpen, total } = span
  return (
    <tr className="group-head" aria-rowindex={span.line + 2} style={{ height }}>
      <th scope="rowgroup" aria-colindex={1} colSpan={width}>
        <div className="group-bar">
          <button
            type="button"
            aria-expanded={isMore(group) ? undefined : isOpen}
            onClick={() => toggle(group.key, !isOpen)}
          >
            {!isMore(group) && icons.down}
            <span>{group.label}</span>
            {total !== undefined && <span className="muted">{total.toLocaleString()}</span>}
          </button>
          {add !== undefined && (
            <button type="button" aria-label={texts.addToLabel(group.label)} onClick={add}>
              +
            </button>
          )}
        </div>
      </th>
    </tr>
  )
}
