// Search by a part of the title, asked once typing rests for a moment.
import { useEffect, useState } from "react"
import { Search } from "../../ui/Search.tsx"
import type { GridSearch } from "./recordQueries.ts"

const REST = 300

interface TitleSearchProps {
  readonly search: GridSearch
  readonly change: (next: GridSearch) => void
}
export const TitleSearch = ({ search, change }: TitleSearchProps) => {
  const asked = search.title ?? ""
  const [text, setText] = useState(asked)
  useEffect(() => {
    const wanted = text.trim()
    if (wanted === asked) return
    const timer = setTimeout(() => {
      const { title: _, ...rest } = search
      change(wanted === "" ? rest : { ...rest, title: wanted })
    }, REST)
    return () => clearTimeout(timer)
  }, [text, asked, search, change])
  return <Search label="Search by title" value={text} onChange={setText} />
}
