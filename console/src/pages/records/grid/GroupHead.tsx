// The head of a group in a grid: its value, how many records it has, and whether they are shown.
import { icons } from "../../../ui/icons.tsx"
import type { GroupSpan } from "./groups.ts"

interface GroupHeadProps {
  readonly span: GroupSpan
  readonly height: number
  /** Columns of the table as it is drawn. */
  readonly width: number
  readonly toggle: (key: string, isOpen: boolean) => void
}
export const GroupHead = ({ height, span, toggle, width }: GroupHeadProps) => {
  const { group, isOpen, total } = span
  return (
    <tr className="group-head" aria-rowindex={span.line + 2} style={{ height }}>
      <th scope="rowgroup" aria-colindex={1} colSpan={width}>
        <button type="button" aria-expanded={isOpen} onClick={() => toggle(group.key, !isOpen)}>
          {icons.down}
          <span>{group.label}</span>
          {total !== undefined && <span className="muted">{total.toLocaleString()}</span>}
        </button>
      </th>
    </tr>
  )
}
