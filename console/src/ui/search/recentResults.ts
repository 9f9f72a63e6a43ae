// Results that were opened last, for as long as the page lives.
import type { SearchResult } from "../../api/types.ts"

const RECENT = 6
let recent: ReadonlyArray<SearchResult> = []

export const recentResults = (): ReadonlyArray<SearchResult> => recent

export const rememberResult = (result: SearchResult): void => {
  const others = recent.filter(({ id, kind }) => kind !== result.kind || id !== result.id)
  recent = [{ ...result, snippet: "" }, ...others].slice(0, RECENT)
}
