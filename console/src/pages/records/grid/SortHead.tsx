// The head of a column: pressed it sorts by it, pressed again the other way round, then not at all.
import type { GridSearch } from "../recordQueries.ts"

interface SortHeadProps {
  readonly name: string
  readonly label: string
  readonly search: GridSearch
  readonly change: (next: GridSearch) => void
}
export const SortHead = ({ name, label, search, change }: SortHeadProps) => {
  const sorted = search.sort === name && search.view === undefined
  const next = () => {
    const { sort: _, desc: __, view: ___, ...rest } = search
    if (!sorted) return change({ ...rest, sort: name })
    change(search.desc === true ? rest : { ...rest, sort: name, desc: true })
  }
  return (
    <th scope="col" aria-sort={sorted ? (search.desc === true ? "descending" : "ascending") : "none"}>
      <button type="button" className="sort" onClick={next}>
        {label} <span aria-hidden="true">{sorted ? (search.desc === true ? "↓" : "↑") : ""}</span>
      </button>
    </th>
  )
}
