// Search by a part of the title, asked once typing rests for a moment.
import { useEffect, useState } from "react"
import { titleSearch as texts } from "../../texts/records/records.ts"
import { Search } from "../../ui/Search.tsx"
import type { GridSearch } from "./recordQueries.ts"

const REST = 300

interface TitleSearchProps {
  readonly search: GridSearch
  readonly change: (next: GridSearch) => void
}
export const TitleSearch = ({ search, change }: TitleSearchProps) => {
  const currentTitle = search.title ?? ""
  const [text, setText] = useState(currentTitle)
  useEffect(() => {
    const typedTitle = text.trim()
    if (typedTitle === currentTitle) return
    const timer = setTimeout(() => {
      const { title: _, ...rest } = search
      change(typedTitle === "" ? rest : { ...rest, title: typedTitle })
    }, REST)
    return () => clearTimeout(timer)
  }, [text, currentTitle, search, change])
  return <Search label={texts.searchByTitle} value={text} onChange={setText} />
}
